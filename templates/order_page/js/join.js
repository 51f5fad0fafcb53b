// Joining by mail: the moderator's letter and the signed answer (docs/formats.md, "Joining").

import { hex, utf8, fromBase64 } from "./bytes.js";
import { base32, grouped, signatureText, unbase32 } from "./canon.js";
import { byId, make, redraw } from "./dom.js";
import { canonicalJson } from "./letters.js";
import { sender, waysOut } from "./send.js";
import { digestOf } from "./sha.js";
import { fingerprint, publicLine } from "./sshkey.js";
import { coveredBy, keyDigest, signBare } from "./sshsig.js";
import { verifyEd25519 } from "./ed25519.js";

const LETTER_FIELDS = ["dice", "format", "game", "moderator", "salt", "scenario", "side", "system"];
const SETUP_SPACE = "setup@pbem";

export function openJoiner() {
  byId("join").addEventListener("click", async () => {
    const said = byId("join-said");
    try {
      redraw(said, await answerTo(byId("letter").value, byId("my-name").value.trim()));
    } catch (error) {
      redraw(said, make("p", { className: "fault" }, error.message));
    }
  });
}

function between(words, name) {
  const begin = words.findIndex((w, i) => w === "BEGIN" && words[i + 1] === name);
  const end = words.findIndex((w, i) => i > begin + 1 && w === "END" && words[i + 1] === name);
  const body = begin < 0 || end < 0 ? null : unbase32(words.slice(begin + 2, end).join(""));
  if (!body) throw new Error(`There is no complete BEGIN ${name} ... END ${name} in it. Paste the mail as it arrived.`);
  return [body, words.slice(end + 2)];
}

// The fields of a letter that its moderator signed. Throws Error with the reason.
export function letterIn(text) {
  const words = text.replace(/[>|]/g, " ").replace(/=\r?\n/g, "").toUpperCase().split(/\s+/);
  const [packed, rest] = between(words, "LETTER"), [signature] = between(rest, "SEAL");
  const plain = new TextDecoder().decode(packed);
  let facts = null;
  try {
    facts = JSON.parse(plain);
  } catch { /* reported below */ }
  const fields = facts && Object.keys(facts).filter((name) => name !== "mail").sort();
  const whole = facts && fields.join() === LETTER_FIELDS.join() && canonicalJson(facts) === plain;
  if (!whole || facts.format !== "pbem-letter/1") throw new Error("This is not a joining letter that this page can read.");
  const wire = fromBase64(facts.moderator.split(" ")[1] || "");
  const sound = wire?.length === 51 && verifyEd25519(wire.subarray(19), coveredBy(packed, SETUP_SPACE), signature);
  if (!sound) throw new Error("The letter is not as the moderator signed it. Ask him to send it again.");
  return { facts, wire };
}

async function answerTo(text, name) {
  const { key, links } = sender;
  if (!key) throw new Error("Open or make your key first.");
  const { facts, wire } = letterIn(text), { game, side } = facts;
  const letter = hex(digestOf("letter", utf8(canonicalJson(facts))));
  const answer = { format: "pbem-join/1", game, side, letter, name, key: publicLine(key.wire), anchor: links(game, side, 0, keyDigest(wire))[0] };
  const joined = packedBlock("JOIN", answer, await signBare(key.seed, utf8(canonicalJson(answer)), SETUP_SPACE));
  return [make("p", {}, `Game ${game} (${facts.system}, ${facts.scenario}), side ${side}. The moderator's key is `,
    make("code", {}, fingerprint(wire)), "; ask him to confirm it."),
    waysOut(joined, byId("joiner").dataset.to || "", `${game} join`, `join-${game}-${side}.txt`), make("pre", { id: "answer" }, joined)];
}

// A signed object in groups of eight characters, followed by its signature (pbem/player/joining.py).
export function packedBlock(name, facts, signature) {
  const groups = grouped(base32(utf8(canonicalJson(facts))).toLowerCase()), lines = [];
  for (let i = 0; i < groups.length; i += 7) lines.push(groups.slice(i, i + 7).join(" "));
  return [`BEGIN ${name}`, ...lines, `END ${name}`, signatureText(signature)].join("\n");
}
