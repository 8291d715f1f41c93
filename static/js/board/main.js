// The table's page: each part has its own file.

import "../page/keeps.js";
import "./numbers.js";
import "../net/connection.js";
import "../net/second-door.js";
import "./touch.js";
import "./forms.js";
import "./refusals.js";
import "./sheet.js";
import "./pad.js";
import "./turnback.js";
import "./recent.js";
import "./announce.js";
import "./aloud.js";
import "../page/sounds.js";
import "./labels.js";
import "./phases.js";
import "./prompts.js";
import "../page/wake.js";
import "./sidebar.js";
import "./dice.js";
import "./clock.js";
import "./arrival.js";
