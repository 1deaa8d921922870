/** Scrolls to a block of the visual editor and selects it. Nothing happens while the preview is shown. */
export function showBlock(id: string): void {
  const block = document.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`)
  block?.scrollIntoView({ block: 'center' })
  block?.focus({ preventScroll: true })
}
