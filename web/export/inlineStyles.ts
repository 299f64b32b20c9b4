// Makes an SVG stand alone: what style sheets gave its elements becomes their own attributes, and what only serves the page goes.

/** What a style sheet may set on a mark, with what SVG takes when nothing is said. */
const PROPERTIES: Readonly<Record<string, string>> = {
  fill: "rgb(0, 0, 0)",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  opacity: "1",
  "paint-order": "normal",
  "shape-rendering": "auto",
  "font-family": "",
  "font-size": "",
  "font-weight": "400",
  "letter-spacing": "normal",
  "text-anchor": "start",
};
/** These pass from an element to what is inside it; saying them again is noise. */
const INHERITED: ReadonlySet<string> = new Set(Object.keys(PROPERTIES).filter((name) => name !== "opacity"));
const TEXT_ONLY: ReadonlySet<string> = new Set([
  "font-family",
  "font-size",
  "font-weight",
  "letter-spacing",
  "text-anchor",
]);
const OF_THE_PAGE = /^(class|style|role|tabindex|aria-.*|data-.*)$/;
const INVISIBLE = new Set(["none", "rgba(0, 0, 0, 0)", "transparent"]);

/**
 * A copy of `root`, which must be in a document, that looks the same without any style sheet.
 * Elements that show nothing (targets for pointers, rings that are not lit) are left out.
 */
export function withInlineStyles(root: SVGSVGElement): SVGSVGElement {
  const view = root.ownerDocument.defaultView;
  const copy = root.cloneNode(true) as SVGSVGElement;
  if (view !== null) inline(root, copy, {}, view);
  return copy;
}

type Styles = Record<string, string>;

function inline(from: Element, to: Element, inherited: Styles, view: Window): void {
  const computed = view.getComputedStyle(from);
  const own: Styles = { ...inherited };
  const isText = from.tagName === "text" || from.tagName === "tspan";
  const fill = computed.getPropertyValue("fill");
  const stroke = computed.getPropertyValue("stroke");
  if (isShape(from) && INVISIBLE.has(fill) && INVISIBLE.has(stroke)) {
    to.remove();
    return;
  }
  for (const [name, initial] of Object.entries(PROPERTIES)) {
    if (TEXT_ONLY.has(name) && !isText) continue;
    const value = computed.getPropertyValue(name);
    if (value === "") continue;
    if (value === (INHERITED.has(name) ? (inherited[name] ?? initial) : initial)) continue;
    to.setAttribute(name, value);
    if (INHERITED.has(name)) own[name] = value;
  }
  const described = from.getAttribute("aria-label");
  for (const { name } of Array.from(to.attributes))
    if (OF_THE_PAGE.test(name) && !(from.tagName === "svg" && (name === "role" || name === "aria-label")))
      to.removeAttribute(name);
  // What was read out on the page is a tooltip in the file.
  if (described !== null && from.tagName === "g" && !hasTitle(to)) {
    const title = to.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = described;
    to.prepend(title);
  }
  const before = Array.from(from.children);
  const after = Array.from(to.children).filter((child) => child.tagName !== "title" || hasTitle(from));
  before.forEach((child, index) => {
    const twin = after[index];
    if (twin !== undefined) inline(child, twin, own, view);
  });
}

const isShape = ({ tagName }: Element): boolean =>
  tagName === "rect" || tagName === "path" || tagName === "line" || tagName === "circle";

const hasTitle = (element: Element): boolean => element.firstElementChild?.tagName === "title";
