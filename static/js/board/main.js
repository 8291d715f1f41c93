// The table's page: each part has its own file. They communicate by events on the document:
//
//   table:changed   the board or its sidebar was redrawn; { number, turned, elsewhere }, if known: the newest
//                   entry, whether something was undone or redone, and whether another tab or phone of this
//                   seat may have done it
//   table:accepted  a command of this tab is on the server's disk; what the outbox kept of it, and its entry
//   table:idle      as accepted, but it changed nothing; the same
//   table:refused   the server said no; { message, rule, code, id, item }: item as above, if it is this tab's
//   table:silent    nothing answers at this page's address any more
//   table:over      this phone no longer has a place at this table
//   undo:given      Undo was given; { id, text, entries }: the command, and what it takes back
//   command:given   a form was sent, from the form; what it says plainly (commands.js)
//   form:done       a form that htmx sent was carried out and is finished with, from the form; { sheet } to go on to, or ""
//   card:filled     a form for a new card was filled in, from the form; the card's fields, encoded
//   deck:changed    the deck list of this phone, or what is known of its cards, is another now
//   lots:drawn      lots gave a seat the first turn; { seats, then }: among whom, who has it last, and what follows
//   seat:hit        somebody else changed a seat's cards; the seat, and who did it
//   sheet:shown     a sheet was opened, or shows something else
//   input           a script wrote into a field, from the field
//   numbers:announced  a moment shows how these numbers have changed; their ids
//   switched        something was switched on or off on this phone; its name
//   sounded         a tune was played; its name
//   scores:looked   the score sheet may have another cell to be written next (its `data-unwritten`)
//   scores:write    that cell is to be opened
//   asked           what a form says of its numbers is out of date, from its place

import "./lots.js"; // before the page tells its first moment
import "./every.js";
import "./turning.js";
import "./adding.js";
import "./deck_text.js";
import "./next_cards.js";
import "./preview.js";
import "./stacks.js";
import "../page/find.js";
