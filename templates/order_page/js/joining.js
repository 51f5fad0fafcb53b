// The joining page: an invitation that a player with a browser alone can answer. The moderator's letter is in
// it; the player makes a key and sends the answer.

import { byId } from "./dom.js";
import { openJoiner } from "./join.js";
import { openSender } from "./send.js";

byId("old").hidden = true;
byId("steps").hidden = false;
byId("letter").value = byId("invitation").textContent.trim();
openSender(null, null);
openJoiner();
