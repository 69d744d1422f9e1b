// Filters and sorts the table of clauses. Without it the table stands whole, in the order of the clauses.
(() => {
  "use strict";
  const table = document.getElementById("clause-table");
  const controls = document.getElementById("clause-controls");
  const words = document.getElementById("clause-words");
  const standing = document.getElementById("clause-standing");
  const shown = document.getElementById("clause-shown");
  const areas = [...table.tBodies].map((body) => ({ body, rows: [...body.rows].slice(1) }));
  const rows = areas.flatMap((area) => area.rows);
  const sorted = document.createElement("tbody");
  const headings = [...table.tHead.rows[0].cells];

  function filter() {
    const wanted = words.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits = !wanted || row.textContent.toLowerCase().includes(wanted);
      row.hidden = !fits || !(standing.value === "all" || row.dataset.standing === standing.value);
      count += !row.hidden;
    }
    for (const { body, rows: own } of areas) body.hidden = own.every((row) => row.hidden);
    shown.textContent = `${count} of ${rows.length} clauses`;
  }

  function inOrder() {
    sorted.remove();
    for (const { body, rows: own } of areas) {
      body.append(...own);
      table.append(body);
    }
  }

  function by(column) {
    const figure = (row) => Number(row.cells[column].dataset.figure);
    for (const { body } of areas) body.remove();
    sorted.append(...[...rows].sort((one, other) => figure(other) - figure(one)));
    table.append(sorted);
  }

  headings.slice(0, -1).forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    button.addEventListener("click", () => {
      headings.forEach((each) => each.removeAttribute("aria-sort"));
      if (column === 0) inOrder();
      else {
        heading.setAttribute("aria-sort", "descending");
        by(column);
      }
    });
    heading.replaceChildren(button);
  });

  words.addEventListener("input", filter);
  standing.addEventListener("change", filter);
  controls.hidden = false;
  filter();
})();
