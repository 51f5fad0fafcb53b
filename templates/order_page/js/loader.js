// Runs the page's program, which is packed. It can do this with no other text: the page's policy
// admits a script by its hash alone.

import { inflated } from "./packed.js";

const program = document.createElement("script");
program.textContent = inflated("program");
document.body.append(program);
