//! Servers written in Python that run as long as a test needs them.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server process. Dropping it stops it.
pub(crate) struct PythonServer {
    child: Child,
    url: String,
}

impl PythonServer {
    /// Runs a program with a free port as its last argument, and waits until `ready_path` answers with 200.
    pub(crate) fn start(program: &Path, arguments: &[&str], ready_path: &str) -> Self {
        // Another process may take the port before the program does.
        (0..3)
            .find_map(|_| Self::try_start(program, arguments, ready_path))
            .expect("a server that is ready and does not end by itself")
    }

    /// `None` where the program ends before it is ready.
    fn try_start(program: &Path, arguments: &[&str], ready_path: &str) -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = free.local_addr().expect("its address");
        drop(free);
        let mut child = Command::new(program)
            .args(arguments)
            .arg(address.port().to_string())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let since = Instant::now();
        while !answers(&address.to_string(), ready_path) {
            if child.try_wait().expect("its state").is_some() {
                return None;
            }
            assert!(since.elapsed() < Duration::from_secs(90), "the server was not ready in time");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(PythonServer { child, url: format!("http://{address}") })
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}

fn answers(address: &str, path: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let mut head = [0; 12];
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").is_ok()
        && stream.read_exact(&mut head).is_ok()
        && head.ends_with(b"200")
}

impl Drop for PythonServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
