// What the page contains packed (docs/formats.md, "Order page").

import { fromBase64 } from "./bytes.js";
import { inflate } from "./inflate.js";

// The text in an element of the page.
export const inflated = (id) => {
  const holder = document.getElementById(id);
  return new TextDecoder().decode(inflate(fromBase64(holder.textContent), Number(holder.dataset.size)));
};
