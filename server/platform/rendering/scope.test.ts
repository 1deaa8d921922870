import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate, type ScopeParts, scopeOf, templateScope } from './template.ts'

const base: ScopeParts = {
  contact: { id: 'c1', email: 'ann@example.com' },
  links: { unsubscribeUrl: 'u', subscribeUrl: 's', manageUrl: 'm' },
}

function render(source: string, parts: Partial<ScopeParts> = {}): string {
  const options = { escape: false, now: new Date(0) }
  return renderTemplate(parseTemplate(source), templateScope({ ...base, ...parts }), options)
}

describe('the scope of a template', () => {
  it('uses the request, then the contact, then the fixed names', () => {
    const parts = { requestData: { a: 'request' }, contactData: { a: 'contact', b: 'contact', email: 'mine' } }
    expect(render('{{a}} {{b}} {{email}} {{id}} {{manageUrl}}', parts)).toBe('request contact mine c1 m')
  })

  it('can be created without any data', () => {
    expect(render('[{{a}}] {{email}} [{{data.a}}]', { requestData: null, contactData: null })).toBe(
      '[] ann@example.com []',
    )
  })

  it("uses null of the request instead of the contact's value", () => {
    expect(render('{{ a ?? "x" }}', { requestData: { a: null }, contactData: { a: 'contact' } })).toBe('x')
  })

  it('has all data under `data`, with the request overlaying the contact', () => {
    const parts = { requestData: { a: 'request' }, contactData: { a: 'contact', 'b c': 'contact' } }
    expect(render('{{data.a}} {{data["b c"]}}', parts)).toBe('request contact')
  })

  it('gives precedence to a key that is itself named `data`', () => {
    const object = { contactData: { data: { a: 'inner' }, a: 'outer', b: 'outer' } }
    expect(render('{{data.a}} {{data.b}} {{a}}', object)).toBe('inner outer outer')
    expect(render('{{data}} [{{data.b}}]', { contactData: { data: 'text', b: 'outer' } })).toBe('text []')
  })

  it('uses `event` only for the event, if there is one', () => {
    expect(render('{{event.a}}', { contactData: { event: { a: 'data' } } })).toBe('data')
    expect(render('{{event.a}}', { contactData: { event: { a: 'data' } }, event: { a: 'event' } })).toBe('event')
  })

  it('has no prototypes, at any depth', () => {
    const data = JSON.parse('{"a": {"b": [{}]}, "__proto__": {"polluted": "own"}}')
    const probes = ['constructor', 'toString', 'a.constructor', 'a.b.constructor', 'a.b[0].constructor', 'polluted']
    for (const probe of probes) expect(render(`{{${probe}}}`, { contactData: data })).toBe('')
    expect(render('{{__proto__.polluted}}', { contactData: data })).toBe('own')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it("is a copy that renderings can't change", () => {
    const contactData = { list: [2, 1], n: 5 }
    const scope = templateScope({ ...base, contactData })
    const source = '{% increment n %}{% assign list = list | sort %}{{ list | join }}{% assign n = 9 %}'
    const template = parseTemplate(source)
    const options = { escape: false, now: new Date(0) }
    expect(renderTemplate(template, scope, options)).toBe('01 2')
    expect(renderTemplate(template, scope, options)).toBe('01 2')
    expect(contactData).toEqual({ list: [2, 1], n: 5 })
  })

  it('contains only JSON values', () => {
    const odd = {
      when: new Date(0),
      big: 12n,
      fn: () => 1,
      un: undefined,
      never: new Date(Number.NaN),
      list: [() => 1],
    }
    expect({ ...scopeOf(odd) }).toEqual({ when: '1970-01-01T00:00:00.000Z', big: '12', never: null, list: [null] })
  })

  it('cuts off endlessly nested data', () => {
    const circle: Record<string, unknown> = { name: 'round' }
    circle.self = circle
    expect(render('{{self.self.name}}', { contactData: circle })).toBe('round')
  })
})
