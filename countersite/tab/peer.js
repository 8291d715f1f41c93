// A guest's way to the site: WebRTC in place of the wire, between two phones on one network.
//
// The tabs of a browser ask the one that runs the site over a BroadcastChannel. Here the channels of two browsers become
// one: the guest's page passes on what its tabs ask, the host's page what the site answers. Each page says in a code where
// it is and by which key it is known, and must have read the other's, so no third one can be between them.

const BASE = new URL("../", import.meta.url).pathname;
const NAME = `countersite ${BASE}`;
const CODE = /^[\w+/]{4,256},[\w+/]{22,256},[\w+/]{43}=(?:,[\w.:-]+:\d{1,5}){0,8}$/;
const PIECE = 16_000; // bytes that every browser takes at once
const MUCH = 256_000;
const MOST = 16_000_000;
const PATIENCE = 20_000;

/** What the other page must know of a connection: name, password, fingerprint and addresses, 100 to 250 characters. */
async function described(connection) {
  await connection.setLocalDescription();
  while (connection.iceGatheringState !== "complete")
    await new Promise((done) => connection.addEventListener("icegatheringstatechange", done, { once: true }));
  const { sdp } = connection.localDescription;
  const line = (name) => new RegExp(`^a=${name}(\\S+)`, "m").exec(sdp)[1];
  const print = line("fingerprint:sha-256 ").split(":").map((two) => parseInt(two, 16));
  const ways = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/gim)].slice(0, 8);
  const at = ways.map(([, address, port]) => `${address}:${port}`);
  return [line("ice-ufrag:"), line("ice-pwd:"), btoa(String.fromCharCode(...print)), ...at].join();
}

/** Tell *connection* what the other page's code says. */
function meet(connection, type, code) {
  if (!CODE.test(code)) throw new Error("unread");
  const [name, password, print, ...at] = code.split(",");
  const bytes = [...atob(print)].map((each) => each.charCodeAt(0).toString(16).padStart(2, "0"));
  const ways = at.map((way, nth) => {
    const port = way.lastIndexOf(":");
    return `a=candidate:${nth} 1 udp ${2 ** 31 - 1 - nth} ${way.slice(0, port)} ${way.slice(port + 1)} typ host`;
  });
  const media = ["m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", ...ways, "a=mid:0"];
  const known = [`ice-ufrag:${name}`, `ice-pwd:${password}`, `fingerprint:sha-256 ${bytes.join(":").toUpperCase()}`];
  const how = [`setup:${type === "offer" ? "actpass" : "active"}`, "sctp-port:5000", "max-message-size:65536"];
  const lines = ["v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", ...media, ...[...known, ...how].map((each) => `a=${each}`), ""];
  return connection.setRemoteDescription({ type, sdp: lines.join("\r\n") });
}

/** Resolves when *wire* is open; rejects if it never will be. */
function opened(wire) {
  return new Promise((open, apart) => {
    if (wire.readyState === "open") open();
    wire.addEventListener("open", open);
    setTimeout(() => apart(new Error("apart")), PATIENCE);
  });
}

/** Resolves when *connection* is over. */
async function over(connection, wire) {
  await new Promise((done) => {
    wire.addEventListener("close", done);
    connection.addEventListener("connectionstatechange", () => connection.connectionState === "failed" && done());
  });
  connection.close();
}

/** Send messages over *wire*, facts and a body, no faster than they leave; give those that come to *take*. */
function messages(wire, take) {
  let [whole, split, here] = [new Uint8Array(), 0, 0];
  let before = Promise.resolve();
  wire.binaryType = "arraybuffer";
  wire.bufferedAmountLowThreshold = MUCH / 2;
  wire.addEventListener("message", ({ data }) => {
    if (typeof data === "string") {
      const [facts, all] = data.split(" ").map(Number);
      if (!(all <= MOST)) return wire.close();
      [whole, split, here] = [new Uint8Array(all), facts, 0];
    } else {
      whole.set(new Uint8Array(data), here);
      here += data.byteLength;
      if (here === whole.length)
        take({ ...JSON.parse(new TextDecoder().decode(whole.subarray(0, split))), body: whole.slice(split) });
    }
  });
  async function write({ body = [], ...facts }) {
    const text = new TextEncoder().encode(JSON.stringify(facts));
    const bytes = new Uint8Array(await new Blob([text, body ?? ""]).arrayBuffer());
    wire.send(`${text.length} ${bytes.length}`);
    for (let at = 0; at < bytes.length; at += PIECE) {
      if (wire.bufferedAmount > MUCH)
        await new Promise((low) => wire.addEventListener("bufferedamountlow", low, { once: true }));
      wire.send(bytes.subarray(at, at + PIECE));
    }
  }
  return (message) => (before = before.then(() => write(message)).catch(() => {})); // a closed wire takes nothing
}

/** Let a guest ask what a tab of this browser may ask, with cookies of its own, until it is *gone*; it comes in *at*. */
function host(wire, at, gone) {
  const bus = new BroadcastChannel(NAME);
  const mine = `${crypto.randomUUID()} `;
  navigator.locks.request(mine, () => gone);
  const of = (id) => id && mine + id;
  let guest = "";
  const send = messages(wire, ({ hello, ask, open, to, shut, jar, ...said }) => {
    if (hello) {
      guest ||= `guest ${hello}`;
      return send({ at });
    }
    const { method, target, headers, body, text, code } = said;
    const asked = { ask: of(ask), open: of(open), alive: mine, to: of(to), shut: of(shut), jar: `${guest} ${jar}` };
    bus.postMessage({ ...asked, method, target: String(target), headers, body, text, code });
  });
  bus.addEventListener("message", ({ data }) => {
    const key = data.answer ? "answer" : "socket";
    if (data.up) send({ up: true });
    if (data[key]?.startsWith(mine)) send({ ...data, [key]: data[key].slice(mine.length) });
  });
  gone.then(() => bus.close());
}

/** Let the site's tabs here ask it by *wire*; resolves to where it wants the guest, once it has heard who that is. */
function ask(wire, hello, gone) {
  const bus = new BroadcastChannel(NAME);
  return new Promise((arrived) => {
    const send = messages(wire, ({ at, ...said }) => {
      if (at) arrived(at);
      bus.postMessage(at ? { up: true } : said);
    });
    bus.addEventListener("message", ({ data }) => {
      if (data.anyone) bus.postMessage({ here: true });
      if (data.ask || data.open || data.to || data.shut) send(data);
      if (data.open) navigator.locks.request(data.alive, () => send({ shut: data.open, code: 1001 }));
    });
    gone.then(() => bus.close());
    send({ hello });
  });
}

/** A place for one guest: its code, and `take`, which resolves once the guest whose answer it was given is in. */
export async function place() {
  const connection = new RTCPeerConnection();
  const wire = connection.createDataChannel("countersite");
  const code = await described(connection);
  return {
    code,
    spent: false,
    async take(answer, at) {
      const [, of, theirs] = /^([^,]+),(.+)$/.exec(answer) ?? [];
      if (CODE.test(theirs) && !code.startsWith(`${of},`)) throw new Error("older");
      await meet(connection, "answer", theirs);
      this.spent = true;
      host(wire, at, over(connection, wire));
      await opened(wire);
    },
  };
}

/** Come in by a place's code, as the guest of the secret *name*.
 *
 * Gives the answer to show there; `at` resolves to where one is wanted, `gone` when all is over, `leave` ends it.
 */
export async function join(code, name) {
  const connection = new RTCPeerConnection();
  const leave = () => connection.close();
  const wire = new Promise((done) => connection.addEventListener("datachannel", ({ channel }) => done(channel)));
  await meet(connection, "offer", code);
  const answer = `${code.split(",")[0]},${await described(connection)}`;
  addEventListener("pagehide", leave);
  const gone = wire.then((channel) => over(connection, channel));
  const at = wire.then((channel) => opened(channel).then(() => ask(channel, name, gone)));
  return { answer, at, gone, leave };
}
