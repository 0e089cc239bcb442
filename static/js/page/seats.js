// A new match: what is typed at the drawn table stands at once where the first dealer is chosen and in the foot, which
// says who plays against whom.
(() => {
  "use strict";
  const SEAT = "[name^=player-]:not([type=hidden]), [name=newcomer]";
  // It says "e" for "y" in Spanish where the next name begins like "Inés".
  /** @param {string[]} names */
  const joined = (names) => new Intl.ListFormat(document.documentElement.lang).format(names);

  function tell() {
    press();
    const foot = document.getElementById("who-plays");
    if (!foot) return;
    const fields = [...document.querySelectorAll(SEAT)];
    const names = fields.map((field) => field.value.trim());
    for (const label of document.querySelectorAll("[data-seat]")) {
      // @ts-expect-error The text of a number finds its place, too.
      label.textContent = names[label.dataset.seat] || label.dataset.usual;
    }
    const teams = [...document.querySelectorAll("[name^=team-]")].map((field) => field.value.trim());
    if (![...names, ...teams].some(Boolean)) {
      foot.textContent = foot.dataset.nobody;
      return;
    }
    const shown = fields.map((field, seat) => names[seat] || field.labels[0].firstElementChild.textContent);
    const sides = Number(foot.dataset.sides);
    if (sides !== 2) {
      foot.textContent = joined(shown);
      return;
    }
    const [first, second] = [0, 1].map((side) => {
      const label = document.createElement("span");
      label.className = `side-name side-${side + 1}`;
      label.textContent = teams[side] || joined(shown.filter((_name, seat) => seat % sides === side));
      return label;
    });
    foot.replaceChildren(first, ` ${foot.dataset.against} `, second);
  }

  // Names that are known are seated by one tap: all who sat together, or one in the first empty chair; tapped again, one
  // gets up.
  /** @param {Found} chip */
  const seats = (chip) => [...(chip.closest("form") || document).querySelectorAll(SEAT)];
  /** @param {Found} chip */
  const seatOf = (chip) => seats(chip).find((field) => field.value.trim() === chip.dataset.name);
  // Who waits stands in one field, with commas between the names; a name may have commas of its own.
  const waiting = () => document.querySelector("[name=waiting]");
  /** @param {string} text */
  const parts = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);
  /** @param {string} name @param {string[]} line */
  function placeOf(name, line) {
    const whole = parts(name);
    return line.findIndex((_one, place) => whole.every((part, at) => line[place + at] === part));
  }
  function press() {
    for (const chip of document.querySelectorAll("[data-name]")) chip.setAttribute("aria-pressed", Boolean(seatOf(chip)));
    for (const chip of document.querySelectorAll("[data-append]")) {
      chip.setAttribute("aria-pressed", placeOf(chip.dataset.append, parts(waiting().value)) >= 0);
    }
    for (const chip of document.querySelectorAll("[data-number]")) {
      chip.setAttribute("aria-pressed", document.getElementById(chip.dataset.into).value.trim() === chip.dataset.number);
    }
  }
  /** @param {Found[]} fields @param {string[]} names */
  function fill(fields, names) {
    fields.forEach((field, place) => {
      field.value = names[place];
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    tell();
  }
  // Whoever waits stands last in the line; tapped again, one goes.
  /** @param {Found} field @param {string} name */
  function append(field, name) {
    const line = parts(field.value);
    const place = placeOf(name, line);
    if (place < 0) line.push(name);
    else line.splice(place, parts(name).length);
    field.value = line.join(", ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  document.addEventListener("click", ({ target }) => {
    const chip = target.closest(".chip");
    if (!chip) return;
    const { names, name, teams, append: last, number, into } = chip.dataset;
    if (number) fill([document.getElementById(into)], [number]);
    else if (last) append(waiting(), last);
    else if (names) fill(seats(chip), JSON.parse(names));
    else if (teams) fill([...document.querySelectorAll("[name^=team-]")], JSON.parse(teams));
    else {
      const taken = seatOf(chip);
      const free = taken || seats(chip).find((field) => !field.value.trim());
      if (free) fill([free], [taken ? "" : name]);
    }
  });

  // The key Enter leads from seat to seat, and to those that are still empty; behind the last to the button.
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || event.isComposing || !field.form || !field.matches("input")) return;
    const all = [...field.form.querySelectorAll(SEAT)];
    const place = all.indexOf(field);
    const free = all.filter((seat) => !seat.value.trim());
    if (!free.length && (place < 0 || all.length === 1)) return;
    event.preventDefault();
    const next = all[place + 1] && place >= 0 ? all[place + 1] : free[0] || field.form.querySelector(".button[value=save]");
    next.focus();
  });

  // A name that was refused is being mended: what was said of it goes.
  /** @param {Found} field */
  function mend(field) {
    if (!field.hasAttribute("aria-invalid")) return;
    field.removeAttribute("aria-invalid");
    for (const error of field.parentElement.querySelectorAll(".error")) error.remove();
    const refused = document.querySelector(".refused");
    if (!refused || field.form.querySelector("[aria-invalid]")) return;
    refused.classList.remove("refused");
    refused.querySelector(".bad").remove();
  }

  document.addEventListener("input", ({ target }) => {
    if (target.matches(`${SEAT}, [name^=team-], [name=waiting]`)) {
      mend(target);
      tell();
    }
    if (document.querySelector(`[data-into="${target.id}"]`)) press();
    const shown = document.querySelector(`[data-shows="${target.id}"]`);
    if (shown && target.value) shown.textContent = target.value;
  });
  document.addEventListener("change", ({ target }) => {
    const fold = target.closest(".agreed");
    const words = fold && fold.querySelector("[data-changed]");
    if (words && target.name.startsWith("opt-")) words.textContent = words.dataset.changed;
  });
  // The lines of the table's own are named where the rules are.
  document.addEventListener("input", ({ target }) => {
    if (!target.matches("[name^=own_name-]")) return;
    mend(target);
    const named = [...target.form.querySelectorAll("[name^=own_name-]")].map(({ value }) => value.trim()).filter(Boolean);
    document.getElementById("own-names").textContent = named.length ? `+ ${named.join(", ")}` : "";
  });
  // A browser may have restored names, and the form may have been drawn anew while one typed.
  document.addEventListener("htmx:afterSettle", () => setTimeout(tell));
  window.addEventListener("pageshow", tell);
  tell();
})();
