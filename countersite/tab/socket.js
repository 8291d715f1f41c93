// The WebSocket of a page whose server is a tab of the same browser.

{
  const BASE = new URL("..", document.currentScript.src).pathname;
  const channel = new BroadcastChannel(`countersite ${BASE}`);
  const open = new Map();
  const alive = crypto.randomUUID(); // a lock that this page has until it is gone, however it goes
  const held = new Promise((has) => navigator.locks.request(alive, () => new Promise(has)));
  const JAR = /^(?:~(\w+)\/)?(.*)$/;
  const within = (address) => JAR.exec(new URL(address).pathname.slice(BASE.length));
  // Another player's tab remembers its own name and taps, as another phone would.
  if (within(location)[1]) Object.defineProperty(window, "localStorage", { value: sessionStorage });
  const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3];

  window.WebSocket = class extends EventTarget {
    static CONNECTING = CONNECTING;
    static OPEN = OPEN;
    static CLOSING = CLOSING;
    static CLOSED = CLOSED;
    readyState = CONNECTING;
    bufferedAmount = 0;
    protocol = "";

    constructor(address) {
      super();
      this.url = new URL(address, document.baseURI).href;
      this.id = crypto.randomUUID();
      open.set(this.id, this);
      const [, jar = "", path] = within(this.url);
      const target = `/${path}${new URL(this.url).search}`;
      held.then(() => channel.postMessage({ open: this.id, alive, jar, target }));
    }

    send(text) {
      if (this.readyState === OPEN) channel.postMessage({ text, to: this.id });
    }

    close(code = 1000) {
      if (this.readyState >= CLOSING) return;
      channel.postMessage({ shut: this.id, code });
      this.readyState = CLOSING;
      setTimeout(() => this.ended(code, ""));
    }

    ended(code, reason) {
      if (!open.delete(this.id)) return;
      this.readyState = CLOSED;
      this.tell(new CloseEvent("close", { code, reason, wasClean: true }));
    }

    tell(event) {
      this[`on${event.type}`]?.(event);
      this.dispatchEvent(event);
    }
  };

  navigator.serviceWorker.register = async () => {}; // the page around this one did it

  channel.addEventListener("message", ({ data }) => {
    if (data.up) for (const socket of [...open.values()]) socket.ended(1012, "restart");
    const socket = open.get(data.socket);
    if (!socket) return;
    if (data.kind === "accept") {
      socket.readyState = OPEN;
      socket.tell(new Event("open"));
    } else if (data.kind === "send") socket.tell(new MessageEvent("message", { data: data.text }));
    else if (data.kind === "close") socket.ended(data.code, data.reason);
  });
}
