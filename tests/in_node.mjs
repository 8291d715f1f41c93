// What holds in a server holds in WebAssembly: node tests/in_node.mjs FOLDER, with the unpacked files of a tab.

import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/python/pyodide.mjs`));
const python = await loadPyodide({ env: { HOME: "/data", PYTHONDONTWRITEBYTECODE: "1" } });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/site.zip`)), "zip", { extractDir: "/" });
python.FS.mkdirTree("/here/tests");
python.mountNodeFS("/here/tests", fileURLToPath(new URL(".", import.meta.url)));
try {
  python.runPython(`
import glob, sys
sys.path[:0] = ["/site", "/here"]
from tests.evening_in_a_tab import evening
evening("http://localhost:9000/", "/data")
from countersite.tab.one_thread import running
from django.core.management import call_command
with running(None):
    call_command("rulecheck", *sorted(glob.glob("/here/tests/scenarios/*.json")))
`);
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
}
