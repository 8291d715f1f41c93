// Compiles the modules of a zip for the Python that will run them: node compile.mjs PYTHON IN OUT

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [python, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${python}/pyodide.mjs`));
const engine = await loadPyodide();
engine.unpackArchive(new Uint8Array(readFileSync(from)), "zip", { extractDir: "/in" });
engine.runPython(`
import compileall, pathlib, zipfile
assert compileall.compile_dir("/in/site", stripdir="/in", legacy=True, quiet=1)
with zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_STORED) as out:
    for file in sorted(pathlib.Path("/in").rglob("*")):
        if file.is_file() and file.suffix != ".py":
            out.write(file, file.relative_to("/in"))
`);
writeFileSync(to, engine.FS.readFile("/out.zip"));
