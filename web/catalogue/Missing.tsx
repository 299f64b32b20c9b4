// An address that no page has.
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { Header, HeaderLink } from "../lab/Header.tsx";
import css from "./Catalogue.module.css";

export function Missing() {
  const [path] = useLocation();
  useEffect(() => {
    document.title = "No such page · Epoch Lab";
  }, []);
  return (
    <div className={css.page}>
      <Header title="No such page" actions={<HeaderLink href="/">To the lab</HeaderLink>} />
      <main className={css.main}>
        <h1 className={css.title}>There is no page here</h1>
        <p className={css.lead}>
          The lab has no page at <code>{path}</code>. Open <Link href="/">the lab</Link>, look through{" "}
          <Link href="/scenarios">all scenarios</Link>, or <Link href="/build">build your own</Link>.
        </p>
      </main>
    </div>
  );
}
