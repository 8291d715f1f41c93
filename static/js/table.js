// The table's page: each part has its own file.

import "./keeps.js";
import "./numbers.js";
import "./connection.js";
import "./second-door.js";
import "./touch.js";
import "./forms.js";
import "./refusals.js";
import "./sheet.js";
import "./pad.js";
import "./turnback.js";
import "./recent.js";
import "./announce.js";
import "./aloud.js";
import "./sounds.js";
import "./labels.js";
import "./phases.js";
import "./prompts.js";
import "./wake.js";
import "./beside.js";
import "./chance.js";
import "./clock.js";
import "./arrival.js";
