// Makes the matrix of clauses sortable by its columns. Without it the matrix stands in reading order.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.matrix")) {
    const body = table.tBodies[0];
    const reading = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const key = (row, place) => {
      const cell = row.cells[place];
      const number = cell.dataset.sort;
      return number === undefined ? cell.textContent : Number(number);
    };
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

    heads.forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
        const order = next === undefined ? "ascending" : next;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (order !== null) head.setAttribute("aria-sort", order);
        table.classList.toggle("sorted", order !== null);
        const sign = order === "descending" ? -1 : 1;
        const sorted = [...reading];
        if (order !== null) sorted.sort((a, b) => sign * compare(key(a, place), key(b, place)));
        body.replaceChildren(...sorted);
      });
    });
  }
});
