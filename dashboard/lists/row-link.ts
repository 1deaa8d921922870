/**
 * The classes of a link that covers its whole row, so that a click anywhere follows it and a middle click opens a tab.
 * The row is positioned; theme.css puts buttons and other links of the row above it.
 */
export const ROW_LINK =
  'after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'
