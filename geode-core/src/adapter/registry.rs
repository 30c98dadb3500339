//! Adapters by name, with keys from the environment.

use std::sync::Arc;

use super::bedrock::Converse;
use super::embedded::Embedded;
use super::{
    Adapter, AdapterFault, Authorization, CliAdapter, Codec, Credential, HttpAdapter, anthropic, bedrock, gemini,
    openai_chat, openai_responses,
};
use crate::nearest::nearest;

/// Variable that names the model to ask, in the place of the adapter's own.
pub(super) const MODEL: &str = "GEODE_MODEL";

/// A row of the registry.
#[derive(Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Name of the adapter.
    pub name: &'static str,
    /// Variables that its key is read from, the first that is set. Empty: it needs no key.
    pub keys: &'static [&'static str],
    make: fn(&Environment<'_>) -> Result<Arc<dyn Adapter>, AdapterFault>,
}

/// Every adapter, in the order that [`from_environment`] looks for a key.
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "openai-payg",
        keys: &["OPENAI_API_KEY"],
        make: |env| Ok(env.adapter(openai_responses::payg(env.key()?), env.get("OPENAI_BASE_URL"))),
    },
    Entry {
        name: "anthropic-payg",
        keys: &["ANTHROPIC_API_KEY"],
        make: |env| Ok(env.adapter(anthropic::payg(env.key()?), env.anthropic_base_url())),
    },
    Entry {
        name: "anthropic-oauth",
        keys: &["ANTHROPIC_OAUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
        make: |env| Ok(env.adapter(anthropic::oauth(env.key()?), env.anthropic_base_url())),
    },
    Entry {
        name: "gemini",
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        make: |env| Ok(env.adapter(gemini::api(env.key()?), None)),
    },
    Entry {
        name: "glm-payg",
        keys: &["ZAI_API_KEY", "ZHIPUAI_API_KEY"],
        make: |env| Ok(env.adapter(openai_chat::glm_payg(env.key()?), None)),
    },
    Entry {
        name: "glm-coding-plan",
        keys: &["ZAI_CODING_API_KEY", "ZAI_API_KEY"],
        make: |env| Ok(env.adapter(openai_chat::glm_coding_plan(env.key()?), None)),
    },
    Entry { name: "bedrock", keys: &["AWS_BEARER_TOKEN_BEDROCK"], make: |env| Ok(env.adapter(env.bedrock()?, None)) },
    Entry {
        name: "openrouter",
        keys: &["OPENROUTER_API_KEY"],
        make: |env| Ok(env.adapter(openai_chat::openrouter(env.key()?), None)),
    },
    Entry {
        name: "codex-oauth",
        keys: &["CODEX_ACCESS_TOKEN"],
        make: |env| {
            let account = env.required("CHATGPT_ACCOUNT_ID", "the account id of the ChatGPT login")?;
            Ok(env.adapter(openai_responses::codex_oauth(env.key()?, account), None))
        },
    },
    Entry {
        name: "openai-chat",
        keys: &["OPENAI_API_KEY"],
        make: |env| Ok(env.adapter(openai_chat::openai(env.key()?), env.get("OPENAI_BASE_URL"))),
    },
    Entry {
        name: "openai-compatible",
        keys: &[],
        make: |env| {
            let url = env.required("OPENAI_BASE_URL", "the server's address, up to and with `/v1`")?;
            let adapter = openai_chat::compatible(url);
            let adapter = match env.get("OPENAI_API_KEY") {
                Some(key) => adapter.credential(Authorization::Bearer, key),
                None => adapter,
            };
            Ok(env.adapter(adapter, None))
        },
    },
    Entry { name: "llama.cpp", keys: &[], make: |env| Ok(env.adapter(openai_chat::llama_cpp(), None)) },
    Entry { name: "ollama", keys: &[], make: |env| Ok(env.adapter(openai_chat::ollama(), env.ollama_base_url())) },
    Entry { name: "vllm", keys: &[], make: |env| Ok(env.adapter(openai_chat::vllm(), None)) },
    Entry {
        name: "docker-model-runner",
        keys: &[],
        make: |env| Ok(env.adapter(openai_chat::docker_model_runner(), None)),
    },
    Entry { name: "claude-cli", keys: &[], make: |env| Ok(env.cli(CliAdapter::claude())) },
    Entry { name: "embedded", keys: &[], make: |_| Ok(Arc::new(Embedded::new())) },
    Entry { name: "codex-cli", keys: &[], make: |env| Ok(env.cli(CliAdapter::codex())) },
];

/// The adapter of a name. Keys, addresses and the model (`GEODE_MODEL`) are read by `environment`, nothing else is:
/// `&|name| std::env::var(name).ok()` reads the process's own.
///
/// ```
/// use geode_core::adapter::registry;
///
/// let adapter = registry::by_name("openai-payg", &|_| Some("sk-example".to_owned()))?;
/// assert_eq!(adapter.name(), "openai-payg");
///
/// let error = registry::by_name("openai-payg", &|_| None).unwrap_err();
/// assert!(error.to_string().contains("OPENAI_API_KEY"));
/// # Ok::<(), geode_core::adapter::AdapterFault>(())
/// ```
///
/// # Errors
///
/// Where no adapter has the name, or a variable that it needs isn't set.
pub fn by_name(name: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Arc<dyn Adapter>, AdapterFault> {
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
        return Err(AdapterFault::Configuration { reason: unknown(name) });
    };
    entry.build(environment)
}

fn unknown(name: &str) -> String {
    let names = || ENTRIES.iter().map(|entry| entry.name);
    let near = nearest(name, names()).or_else(|| names().find(|known| !name.is_empty() && known.starts_with(name)));
    let meant = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
    format!("no adapter is called {name:?}{meant}; there are {}", names().collect::<Vec<_>>().join(", "))
}

impl Entry {
    /// The adapter, with keys and addresses read by `environment`.
    ///
    /// # Errors
    ///
    /// Where a variable that it needs isn't set.
    pub fn build(&self, environment: &dyn Fn(&str) -> Option<String>) -> Result<Arc<dyn Adapter>, AdapterFault> {
        (self.make)(&Environment { entry: self, read: environment })
    }
}

/// The first adapter whose key is set.
///
/// # Errors
///
/// Where none is.
pub fn from_environment(environment: &dyn Fn(&str) -> Option<String>) -> Result<Arc<dyn Adapter>, AdapterFault> {
    let with_key = || ENTRIES.iter().filter(|entry| !entry.keys.is_empty());
    for entry in with_key() {
        if (Environment { entry, read: environment }).key().is_ok() {
            return entry.build(environment);
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for name in with_key().flat_map(|entry| entry.keys) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    Err(AdapterFault::Configuration {
        reason: format!(
            "no key is set: set one of {}, or name an adapter that needs none, such as ollama",
            names.join(", ")
        ),
    })
}

struct Environment<'a> {
    entry: &'a Entry,
    read: &'a dyn Fn(&str) -> Option<String>,
}

impl Environment<'_> {
    fn get(&self, name: &str) -> Option<String> {
        (self.read)(name).filter(|value| !value.trim().is_empty())
    }

    fn required(&self, name: &str, what: &str) -> Result<String, AdapterFault> {
        self.get(name).ok_or_else(|| AdapterFault::Configuration {
            reason: format!("`{}` needs {what}: set {name}, or build the adapter with it", self.entry.name),
        })
    }

    fn key(&self) -> Result<Credential, AdapterFault> {
        let found = self.entry.keys.iter().find_map(|name| self.get(name));
        found.map(Credential::from).ok_or_else(|| AdapterFault::Configuration {
            reason: format!(
                "`{}` needs a key: set {}, or build the adapter with one",
                self.entry.name,
                self.entry.keys.join(" or ")
            ),
        })
    }

    /// The adapter at another address, where one is set, and with the model of `GEODE_MODEL`.
    fn adapter<C: Codec + 'static>(&self, mut adapter: HttpAdapter<C>, base_url: Option<String>) -> Arc<dyn Adapter> {
        if let Some(url) = base_url {
            adapter = adapter.base_url(url);
        }
        if let Some(model) = self.get(MODEL) {
            adapter = adapter.model(model);
        }
        Arc::new(adapter)
    }

    fn cli(&self, adapter: CliAdapter) -> Arc<dyn Adapter> {
        Arc::new(match self.get(MODEL) {
            Some(model) => adapter.model(model),
            None => adapter,
        })
    }

    /// By Bedrock's own key, else by AWS access keys.
    fn bedrock(&self) -> Result<HttpAdapter<Converse>, AdapterFault> {
        let region = || {
            let region = self.get("AWS_REGION").or_else(|| self.get("AWS_DEFAULT_REGION"));
            region.map_or_else(|| self.required("AWS_REGION", "the region that it asks"), Ok)
        };
        if let Ok(key) = self.key() {
            return Ok(bedrock::converse(&region()?, key));
        }
        #[cfg(feature = "bedrock-sigv4")]
        if let (Some(id), Some(secret)) = (self.get("AWS_ACCESS_KEY_ID"), self.get("AWS_SECRET_ACCESS_KEY")) {
            let keys = bedrock::AwsKeys::new(id, secret);
            let keys = match self.get("AWS_SESSION_TOKEN") {
                Some(token) => keys.session_token(token),
                None => keys,
            };
            return Ok(bedrock::converse_signed(&region()?, move || keys.clone()));
        }
        Err(AdapterFault::Configuration {
            reason: "`bedrock` needs a key: set AWS_BEARER_TOKEN_BEDROCK, or (with the feature `bedrock-sigv4`) \
                     AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or build the adapter with one"
                .to_owned(),
        })
    }

    /// Anthropic's own clients add the version behind this address.
    fn anthropic_base_url(&self) -> Option<String> {
        self.get("ANTHROPIC_BASE_URL").map(|url| [url.trim_end_matches('/'), "/v1"].concat())
    }

    /// An address with or without a scheme.
    fn ollama_base_url(&self) -> Option<String> {
        let host = self.get("OLLAMA_HOST")?;
        let scheme = if host.contains("://") { "" } else { "http://" };
        Some([scheme, host.trim_end_matches('/'), "/v1"].concat())
    }
}
