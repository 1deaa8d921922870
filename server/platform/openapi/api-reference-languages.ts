/**
 * Example requests as code in several languages. Keys and ids are environment variables, so that an example runs as it
 * is pasted, once they are set.
 */

/** Variables are written as `$CONTACT_ID`: anywhere in the address and headers, and as whole strings in the body. */
export interface ExampleRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /** The names of the file fields of a form, which has no other body. */
  files?: string[]
  /** The response is no text. */
  binary?: boolean
}

const VARIABLE = /\$([A-Z][A-Z_]*)/g
const WHOLE = /^\$([A-Z][A-Z_]*)$/

/** How a language writes values. */
interface Literals {
  quote(text: string): string
  variable(name: string): string
  null: string
  /** Capitalized in Python. */
  boolean(value: boolean): string
  list: [open: string, close: string]
  map: [open: string, separator: string, close: string]
}

function literal(value: unknown, style: Literals, indent: string): string {
  if (typeof value === 'string') {
    const name = WHOLE.exec(value)?.[1]
    return name ? style.variable(name) : style.quote(value)
  }
  if (value === null) return style.null
  if (typeof value === 'boolean') return style.boolean(value)
  if (typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  const write = (item: unknown) => literal(item, style, inner)
  const [open, close] = Array.isArray(value) ? style.list : [style.map[0], style.map[2]]
  const items = Array.isArray(value)
    ? value.map(write)
    : Object.entries(value).map(([name, item]) => `${style.quote(name)}${style.map[1]}${write(item)}`)
  if (items.length === 0) return open + close
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

/** A text with variables, written by `before`, the variables and `after`, such as a template literal. */
const interpolated = (text: string, write: (name: string) => string): string =>
  text.replace(VARIABLE, (_, name: string) => write(name))

const doubleQuoted = (text: string): string => JSON.stringify(text)
const singleQuoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const hasVariables = (text: string): boolean => text.search(VARIABLE) !== -1

function writeCurl({ method, url, headers, body, files }: ExampleRequest): string {
  const usual = body === undefined && !files ? 'GET' : 'POST'
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2)
  const command = [
    `curl ${method === usual ? '' : `-X ${method} `}"${url}"`,
    ...Object.entries(headers).map(([name, value]) =>
      name === 'Cookie' ? `--cookie "${value}"` : `-H "${name}: ${value}"`,
    ),
    ...(files ?? []).map((name) => `-F ${name}=@"$${name.toUpperCase()}"`),
  ]
  if (json === undefined) return command.join(' \\\n  ')
  // The shell replaces variables in a here-document, and not in a text in single quotes.
  if (hasVariables(json)) return `${[...command, '-d @- <<END'].join(' \\\n  ')}\n${json}\nEND`
  return [...command, `-d '${json.replace(/\n/g, '\n  ').replaceAll("'", "'\\''")}'`].join(' \\\n  ')
}

const inTemplate = (text: string): string =>
  hasVariables(text) ? `\`${interpolated(text, (name) => `\${process.env.${name}}`)}\`` : singleQuoted(text)

const JAVASCRIPT: Literals = {
  quote: singleQuoted,
  variable: (name) => `process.env.${name}`,
  null: 'null',
  boolean: String,
  list: ['[', ']'],
  map: ['{', ': ', '}'],
}

function writeNode({ method, url, headers, body, files }: ExampleRequest): string {
  const form = (files ?? []).map(
    (name) => `form.set('${name}', await openAsBlob(process.env.${name.toUpperCase()}), '${name}')`,
  )
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [
          '  headers: {',
          ...Object.entries(headers).map(
            ([name, value]) => `    ${/^\w+$/.test(name) ? name : singleQuoted(name)}: ${inTemplate(value)},`,
          ),
          '  },',
        ]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, JAVASCRIPT, '  ')}),`]),
    ...(files ? ['  body: form,'] : []),
  ]
  return [
    ...(files ? ["import { openAsBlob } from 'node:fs'", '', 'const form = new FormData()', ...form, ''] : []),
    options.length > 0
      ? `const response = await fetch(${inTemplate(url)}, {\n${options.join('\n')}\n})`
      : `const response = await fetch(${inTemplate(url)})`,
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const inFString = (text: string): string =>
  hasVariables(text) ? `f"${interpolated(text, (name) => `{os.environ['${name}']}`)}"` : doubleQuoted(text)

const PYTHON: Literals = {
  quote: doubleQuoted,
  variable: (name) => `os.environ["${name}"]`,
  null: 'None',
  boolean: (value) => (value ? 'True' : 'False'),
  list: ['[', ']'],
  map: ['{', ': ', '}'],
}

function writePython({ method, url, headers, body, binary }: ExampleRequest): string {
  const lines = [
    `    ${inFString(url)},`,
    `    method="${method}",`,
    '    headers={',
    ...Object.entries(headers).map(([name, value]) => `        "${name}": ${inFString(value)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, PYTHON, '    ')}).encode(),`]),
  ]
  return `import json, os, urllib.request

request = urllib.request.Request(
${lines.join('\n')}
)
with urllib.request.urlopen(request) as response:
    print(response.status, ${binary ? 'len(response.read()), "bytes"' : 'response.read().decode()'})`
}

const PHP: Literals = {
  quote: singleQuoted,
  variable: (name) => `getenv('${name}')`,
  null: 'null',
  boolean: String,
  list: ['[', ']'],
  map: ['[', ' => ', ']'],
}

const inPhp = (text: string): string =>
  text
    .split(/(\$[A-Z][A-Z_]*)/)
    .filter((part) => part !== '')
    .map((part) => (WHOLE.test(part) ? PHP.variable(part.slice(1)) : singleQuoted(part)))
    .join(' . ')

function writePhp({ method, url, headers, body }: ExampleRequest): string {
  const lines = [
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_HTTPHEADER => [',
    ...Object.entries(headers).map(([name, value]) => `        ${inPhp(`${name}: ${value}`)},`),
    '    ],',
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP, '    ')}),`]),
  ]
  return `<?php
$request = curl_init(${inPhp(url)});
curl_setopt_array($request, [
${lines.join('\n')}
]);
echo curl_exec($request);`
}

/** Go has no interpolation, so variables in texts are expanded by the standard library. */
const inGo = (text: string): string => {
  const written = text.includes('\n') || text.includes('"') ? `\`${text.replaceAll('`', "'")}\`` : doubleQuoted(text)
  return hasVariables(text) ? `os.ExpandEnv(${written})` : written
}

function writeGo({ method, url, headers, body }: ExampleRequest): string {
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2)
  const needsOs = [url, ...Object.values(headers), json ?? ''].some(hasVariables)
  const imports = ['fmt', 'io', 'net/http', ...(needsOs ? ['os'] : []), ...(json === undefined ? [] : ['strings'])]
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
	request, err := http.NewRequest("${method}", ${inGo(url)}, ${json === undefined ? 'nil' : `strings.NewReader(${inGo(json)})`})
	if err != nil {
		panic(err)
	}
${Object.entries(headers)
  .map(([name, value]) => `\trequest.Header.Set("${name}", ${inGo(value)})\n`)
  .join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	text, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(text))
}`
}

const RUBY: Literals = {
  quote: doubleQuoted,
  variable: (name) => `ENV["${name}"]`,
  null: 'nil',
  boolean: String,
  list: ['[', ']'],
  map: ['{', ' => ', '}'],
}

const inRuby = (text: string): string =>
  hasVariables(text) ? `"${interpolated(text, (name) => `#{ENV['${name}']}`)}"` : doubleQuoted(text)

function writeRuby({ method, url, headers, body }: ExampleRequest): string {
  const lines = [
    `uri = URI(${inRuby(url)})`,
    `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
    ...Object.entries(headers).map(([name, value]) => `request["${name}"] = ${inRuby(value)}`),
    ...(body === undefined ? [] : [`request.body = ${literal(body, RUBY, '')}.to_json`]),
    'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
    'puts response.code, response.body',
  ]
  return `require "json"\nrequire "net/http"\n\n${lines.join('\n')}`
}

/** Only curl and Node.js show how to upload a file; the other languages need a package for it. */
export const LANGUAGES = {
  curl: { label: 'curl', write: writeCurl, files: true },
  node: { label: 'Node.js', write: writeNode, files: true },
  python: { label: 'Python', write: writePython, files: false },
  php: { label: 'PHP', write: writePhp, files: false },
  go: { label: 'Go', write: writeGo, files: false },
  ruby: { label: 'Ruby', write: writeRuby, files: false },
} as const

export type LanguageName = keyof typeof LANGUAGES

export const isLanguage = (name: unknown): name is LanguageName =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)

export function writeExample(request: ExampleRequest, name: LanguageName): string {
  const language = LANGUAGES[name]
  return request.files && !language.files ? writeCurl(request) : language.write(request)
}
