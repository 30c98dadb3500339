//! Adapters against servers on this machine: requests byte by byte, every fixture, every cut of every stream.

#[path = "../support/aws_messages.rs"]
mod aws_messages;
#[path = "../support/mod.rs"]
mod support;

mod anthropic_messages;
mod bedrock_converse;
mod calls;
mod cases;
mod cli;
mod event_stream;
mod every_adapter;
mod exchange;
mod fixtures;
mod gemini;
mod glm;
mod openai_chat;
mod openai_responses;
mod proxy;
mod registry;
mod requests;
mod sent;
mod tls;
mod transport;
