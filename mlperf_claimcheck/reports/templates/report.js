"use strict";
(() => {
  const form = document.getElementById("filter");
  const field = document.getElementById("words");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const buttons = [...form.querySelectorAll("button")];
  const claims = [...document.querySelectorAll("article")];
  let texts = null;
  let verdict = "";
  let timer = 0;
  const apply = () => {
    texts ??= claims.map((claim) => claim.textContent.toLowerCase());
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    claims.forEach((claim, i) => {
      const fits = (!verdict || claim.dataset.verdict === verdict) && wanted.every((word) => texts[i].includes(word));
      if (claim.hidden === fits) claim.hidden = !fits;
      count += fits;
    });
    shown.textContent = `${count} of ${claims.length} claims shown`;
    none.hidden = count > 0 || claims.length === 0;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      verdict = button.dataset.verdict;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      apply();
    });
  }
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  // A link to a claim that the filter hides shows all claims again.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.hidden) {
      field.value = "";
      buttons[0].click();
      target.scrollIntoView();
    }
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
  });
  form.hidden = false;
  shown.textContent = `${claims.length} of ${claims.length} claims shown`;
})();
