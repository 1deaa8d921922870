/*
 * The script of the documentation site: theme, search, copy buttons, tabs, samples in other languages, and the form that tries an
 * endpoint. The pages are complete without it. It is loaded before the page is shown, so that the chosen theme applies at once.
 */
const script = document.currentScript
const { search: indexUrl, root, page } = script.dataset
const isServed = 'served' in script.dataset

const THEME = 'posthorn-docs-theme'
const LANGUAGE = 'posthorn-docs-language'

/** Storage can be disabled; then choices last as long as the page. */
const storage = {
  get(name) {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value)
    } catch {}
  },
}

const chosenTheme = storage.get(THEME)
if (chosenTheme) document.documentElement.dataset.theme = chosenTheme

/** `text` is set as text, so nothing in a response becomes markup. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value
    else made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

function addTheme(tools) {
  const isDark = () => {
    const { theme } = document.documentElement.dataset
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  }
  const button = element('button', { type: 'button' })
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
    button.setAttribute('aria-label', isDark() ? 'Use light colors' : 'Use dark colors')
  }
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = theme
    storage.set(THEME, theme)
    show()
  })
  show()
  tools.append(button)
}

/** An entry needs every word; words in headings count more, and so do beginnings of words. */
function findEntries(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const scored = entries.map((entry) => {
    let score = 0
    for (const word of words) {
      const at = (text) => text.toLowerCase().indexOf(word)
      if (at(entry.heading) >= 0) score += at(entry.heading) === 0 ? 30 : 20
      else if (at(entry.title) >= 0) score += 10
      else if (at(entry.text) >= 0) score += 3
      else return { entry, score: 0 }
    }
    return { entry, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12)
    .map(({ entry }) => entry)
}

/** The part of the text around the first word. */
function excerpt(text, query) {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/).find(Boolean) ?? '')
  const from = Math.max(0, at - 40)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 110)}${text.length > from + 110 ? '…' : ''}`
}

function addSearch(tools) {
  const input = element('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search the documentation' })
  const results = element('ul', { className: 'results', hidden: true, 'aria-label': 'Search results' })
  const find = element('div', { className: 'find', role: 'search' }, input, results)
  const base = new URL(root, location.href)
  let index
  const load = () => {
    index ??= fetch(indexUrl).then((response) => response.json())
    return index
  }
  const addressOf = (name) => {
    const [target, anchor] = name.split('#')
    const suffix = isServed ? '' : '.html'
    const folder = isServed ? `${base.pathname.replace(/\/$/, '')}/` : base.pathname.replace(/[^/]*$/, '')
    return `${folder}${target}${suffix}${anchor ? `#${anchor}` : ''}`
  }
  input.addEventListener('focus', load)
  input.addEventListener('input', async () => {
    const query = input.value
    const entries = await load()
    if (query !== input.value) return
    const found = findEntries(entries, query)
    results.replaceChildren(
      ...found.map((entry) =>
        element(
          'li',
          {},
          element(
            'a',
            { href: addressOf(entry.page) },
            element('b', { textContent: entry.heading }),
            element('small', { textContent: `${entry.title} · ${excerpt(entry.text, query)}` }),
          ),
        ),
      ),
    )
    if (found.length === 0 && query.trim()) {
      results.append(element('li', {}, element('p', { textContent: `Nothing matches “${query.trim()}”.` })))
    }
    results.hidden = results.children.length === 0
  })
  find.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      results.hidden = true
      input.focus()
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus()
    else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
    else return
    event.preventDefault()
  })
  results.addEventListener('click', () => {
    results.hidden = true
  })
  document.addEventListener('click', (event) => {
    if (!find.contains(event.target)) results.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    const isWriting = event.target.closest?.('input, textarea, select')
    if (event.key !== '/' || isWriting) return
    event.preventDefault()
    input.focus()
  })
  tools.prepend(find)
}

function addCopyButtons() {
  for (const pre of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    pre.before(button)
  }
}

const LABELS = { sh: 'curl', ts: 'TypeScript', js: 'JavaScript', python: 'Python', go: 'Go', php: 'PHP', ruby: 'Ruby' }
/** Samples of the reference name Node.js, those of the guides TypeScript or JavaScript. */
const SAME = { curl: 'sh', node: 'ts', js: 'ts' }
const sameLanguage = (a, b) => (SAME[a] ?? a) === (SAME[b] ?? b)

/** Tabs with the keyboard as in the ARIA pattern. `select` shows the panel of a language. */
function tabList(languages, labels, select) {
  const tabs = languages.map((language) =>
    element('button', { type: 'button', role: 'tab', textContent: labels[language], 'data-language': language }),
  )
  const choose = (language) => {
    for (const tab of tabs) {
      const isChosen = tab.dataset.language === language
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
    }
    select(language)
  }
  const list = element('div', { className: 'tabs', role: 'tablist', 'aria-label': 'Language' }, ...tabs)
  list.addEventListener('click', ({ target }) => {
    if (!target.dataset.language) return
    storage.set(LANGUAGE, target.dataset.language)
    document.dispatchEvent(new CustomEvent('language', { detail: target.dataset.language }))
  })
  list.addEventListener('keydown', ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    const next = step && tabs[(tabs.indexOf(target) + step + tabs.length) % tabs.length]
    next?.focus()
    next?.click()
  })
  document.addEventListener('language', ({ detail }) => {
    const own = languages.find((language) => sameLanguage(language, detail))
    if (own) choose(own)
  })
  const known = storage.get(LANGUAGE)
  choose(languages.find((language) => known && sameLanguage(language, known)) ?? languages[0])
  return list
}

function addTabs() {
  for (const group of document.querySelectorAll('.samples')) {
    const samples = [...group.querySelectorAll('.sample')]
    const languages = samples.map(({ dataset }) => dataset.language)
    const show = (language) => {
      for (const sample of samples) sample.hidden = sample.dataset.language !== language
    }
    group.prepend(tabList(languages, LABELS, show))
  }
}

const REFERENCE_LABELS = { curl: 'curl', node: 'Node.js', python: 'Python', php: 'PHP', go: 'Go', ruby: 'Ruby' }

/** The other languages and what a request needs, loaded when they are first used. */
let samples
const loadSamples = () => {
  const resource = page.split('/').at(-1).replace(/-\d+$/, '')
  samples ??= fetch(`${resource}.json`).then((response) => response.json())
  return samples
}

function addReferenceTabs(article) {
  const code = article.querySelector('.example pre code')
  if (!code) return
  const curl = code.textContent
  const show = async (language) => {
    if (language === 'curl') code.textContent = curl
    else code.textContent = (await loadSamples())[article.id].samples[language]
  }
  article.querySelector('.example h4').after(tabList(Object.keys(REFERENCE_LABELS), REFERENCE_LABELS, show))
}

let lastKey = ''

function field(label, control) {
  control.id = `try-${Math.random().toString(36).slice(2)}`
  return [element('label', { htmlFor: control.id, textContent: label }), control]
}

async function tryForm(article) {
  const { method, path, query, auth, body, contentType } = (await loadSamples())[article.id]
  const form = element('form', { className: 'try' })
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1])
  const params = Object.fromEntries(names.map((name) => [name, element('input', { required: true })]))
  for (const [name, control] of Object.entries(params)) form.append(...field(name, control))
  const queryInput = element('input', { placeholder: query.map((name) => `${name}=`).join('&') })
  if (query.length > 0) form.append(...field('Query', queryInput))
  const bodyInput = element('textarea', { spellcheck: false, value: JSON.stringify(body, null, 2) ?? '' })
  if (body !== undefined) form.append(...field('Body', bodyInput))
  const keyInput = element('input', {
    type: 'password',
    autocomplete: 'off',
    placeholder: 'sk_… or phk_…',
    value: lastKey,
  })
  const projectInput = element('select')
  const keyFields = auth.some((name) => name !== 'session') ? field('Key', keyInput) : []
  const showKey = () => {
    for (const part of keyFields) part.hidden = Boolean(projectInput.value)
  }
  form.append(...keyFields)
  projectInput.addEventListener('change', showKey)
  if (auth.includes('session')) form.append(accountButton(projectInput, showKey))
  const send = element('button', { className: 'send', textContent: 'Send request' })
  const status = element('p', { 'aria-live': 'polite' })
  const output = element('pre', { hidden: true, tabIndex: 0 })
  form.append(send, status, output)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (method === 'DELETE' && !confirm(`Send ${method} ${path}? This can't be undone.`)) return
    lastKey = keyInput.value
    const address = path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(params[name].value))
    const headers = {}
    if (projectInput.value) headers['x-project-id'] = projectInput.value
    else if (keyInput.value) headers.authorization = `Bearer ${keyInput.value}`
    if (body !== undefined) headers['content-type'] = contentType
    send.disabled = true
    status.textContent = 'Sending…'
    try {
      const started = performance.now()
      const response = await fetch(address + (queryInput.value ? `?${queryInput.value.replace(/^\?/, '')}` : ''), {
        method,
        headers,
        // With a key, the session must not decide what the request may do.
        credentials: projectInput.value || keyFields.length === 0 ? 'same-origin' : 'omit',
        body: body === undefined ? undefined : bodyInput.value,
      })
      const text = await response.text()
      status.textContent = `${response.status} ${response.statusText} in ${Math.round(performance.now() - started)} ms`
      output.textContent = indented(text)
      output.hidden = text === ''
    } catch (error) {
      status.textContent = `No response: ${error.message}`
      output.hidden = true
    }
    send.disabled = false
  })
  return form
}

/** Only if the reader asks for it, because most are not signed in. */
function accountButton(projectInput, showKey) {
  const button = element('button', { type: 'button', textContent: 'Use my account' })
  const answer = element('span', { className: 'soft', 'aria-live': 'polite' })
  const place = element('p', {}, button, ' ', answer)
  button.addEventListener('click', async () => {
    const response = await fetch('/users/@me/projects').catch(() => undefined)
    if (!response?.ok) {
      answer.textContent = 'You are not signed in here.'
      return
    }
    const list = await response.json()
    projectInput.append(...list.map(({ id, name }) => element('option', { value: id, textContent: name })))
    projectInput.append(element('option', { value: '', textContent: 'None: use a key' }))
    place.replaceWith(...field('Your project', projectInput))
    showKey()
    projectInput.focus()
  })
  return place
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Not for the redirects of other services and uploads, which a form with text can't make. */
function addTryIt(article) {
  const place = article.querySelector('.place')
  if (!place) return
  const button = element('button', { type: 'button', textContent: 'Try it', 'aria-expanded': 'false' })
  let form
  button.addEventListener('click', async () => {
    if (!form) {
      button.disabled = true
      form = await tryForm(article)
      button.disabled = false
      place.after(form)
      form.hidden = true
    }
    form.hidden = !form.hidden
    button.setAttribute('aria-expanded', String(!form.hidden))
  })
  place.append(element('span', { className: 'try-it' }, button))
}

/** Links to the reference on one page once led to this address. */
const isOldLink = page === '' && location.hash && isServed
if (isOldLink) addEventListener('DOMContentLoaded', leaveForReference)
function leaveForReference() {
  if (!document.getElementById(location.hash.slice(1)))
    location.replace(`${location.pathname}?lang=curl${location.hash}`)
}

addEventListener('DOMContentLoaded', () => {
  const tools = document.querySelector('.tools')
  addTheme(tools)
  addSearch(tools)
  addTabs()
  for (const article of document.querySelectorAll('article.pair')) {
    addReferenceTabs(article)
    if (isServed) addTryIt(article)
  }
  addCopyButtons()
})
