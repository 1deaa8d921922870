/** The script of the API reference: copy buttons, open responses, languages at every example, and a search in the menu. The page is complete without it. */
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
const languages = document.getElementById('languages')
for (const example of document.querySelectorAll('.example')) {
  const tabs = languages.cloneNode(true)
  tabs.removeAttribute('id')
  for (const link of tabs.querySelectorAll('a')) link.hash = example.parentElement.id
  example.querySelector('h4').after(tabs)
  for (const response of example.querySelectorAll('details')) response.open = true
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
