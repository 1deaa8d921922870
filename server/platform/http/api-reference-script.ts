/** The script of the API reference: copy buttons and a search in the menu. The page is complete without it. */
export const REFERENCE_SCRIPT = `
for (const pre of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
  pre.before(button)
}
const menu = document.getElementById('contents')
const search = document.createElement('input')
search.type = 'search'
search.placeholder = 'Search endpoints'
search.setAttribute('aria-label', 'Search endpoints')
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  for (const group of menu.querySelectorAll('details')) {
    let found = false
    for (const item of group.querySelectorAll('li')) {
      const link = item.querySelector('a')
      const path = document.querySelector(link.getAttribute('href') + ' .place code')
      const text = (group.querySelector('summary').textContent + ' ' + link.textContent + ' ' + (path ? path.textContent : '')).toLowerCase()
      item.hidden = !words.every((word) => text.includes(word))
      found = found || !item.hidden
    }
    group.hidden = !found
  }
})
menu.querySelector('.brand').after(search)
`
