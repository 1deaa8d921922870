import { describe, expect, it } from 'vitest'
import { type Address, accountPage, projectPage, SAME_PAGE } from './addresses.ts'

describe('the address of a page', () => {
  it('has the parameters of the path in the path, and the others after it', () => {
    expect(projectPage('p1', '/')).toEqual({ to: '/projects/p1', search: {} })
    expect(projectPage('p1', 'contacts/$id', { id: 'c1' })).toEqual({ to: '/projects/p1/contacts/c1', search: {} })
    const execution = { id: 'w1', executionId: 'e1' }
    expect(projectPage('p1', 'workflows/$id/executions/$executionId', execution).to).toBe(
      '/projects/p1/workflows/w1/executions/e1',
    )
    expect(projectPage('p1', 'workflows/$id', { id: 'w1', tab: 'executions', status: 'FAILED' })).toEqual({
      to: '/projects/p1/workflows/w1',
      search: { tab: 'executions', status: 'FAILED' },
    })
    expect(accountPage('/sign-in', { next: '/x' })).toEqual({ to: '/sign-in', search: { next: '/x' } })
    expect(SAME_PAGE).toEqual({ to: '.', search: {} })
  })

  it('has no parameters without a value', () => {
    expect(projectPage('p1', 'emails', { status: undefined, search: '' }).search).toEqual({})
  })

  it('must be the address of a page that exists, with parameters that it has', () => {
    const wrong = [
      // @ts-expect-error: there is no such page
      () => projectPage('p1', 'contact'),
      // @ts-expect-error: an ID is a parameter, not part of the name
      () => projectPage('p1', 'contacts/c1'),
      // @ts-expect-error: the ID is missing
      () => projectPage('p1', 'contacts/$id'),
      // @ts-expect-error: the list of emails has no such parameter
      () => projectPage('p1', 'emails', { state: 'BOUNCED' }),
      // @ts-expect-error: the page has no parameters
      () => projectPage('p1', 'domains', { domain: 'd1' }),
      // @ts-expect-error: a misspelled parameter of a page with an ID
      () => projectPage('p1', 'workflows/$id', { id: 'w1', tabs: 'executions' }),
      // @ts-expect-error: the page is not outside of projects
      () => accountPage('/contacts'),
      // @ts-expect-error: an address is made by the functions above
      (): Address => ({ to: '/anywhere', search: {} }),
    ]
    expect(wrong).toHaveLength(8)
  })
})
