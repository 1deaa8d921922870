/** Shows a block in the visual editor and selects it, from outside of the editor. */
const SHOW = 'posthorn.show-block'

export const showBlock = (id: string) => document.dispatchEvent(new CustomEvent(SHOW, { detail: id }))

/** Returns a function that stops listening. */
export function onShowBlock(show: (id: string) => void): () => void {
  const handle = (event: Event) => show((event as CustomEvent<string>).detail)
  document.addEventListener(SHOW, handle)
  return () => document.removeEventListener(SHOW, handle)
}
