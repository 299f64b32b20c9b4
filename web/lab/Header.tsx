// The head of every page: where one is, and the ways to elsewhere.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { FIRST_SCENARIO } from "../../shared/scenario/catalogue.ts";
import css from "./Header.module.css";

export function Header({ title, actions }: { readonly title: string; readonly actions: ReactNode }) {
  return (
    <header className={css.header}>
      <Link href={`/?s=${FIRST_SCENARIO}`} className={css.brand}>
        Epoch Lab
      </Link>
      <span className={css.slash} aria-hidden="true">
        /
      </span>
      <span className={css.title} title={title}>
        {title}
      </span>
      <nav className={css.actions} aria-label="Lab">
        {actions}
      </nav>
    </header>
  );
}

export function HeaderLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={css.link}>
      {children}
    </Link>
  );
}
