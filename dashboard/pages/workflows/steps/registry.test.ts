import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'

// The API client reads the address of the page when it is loaded.
vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/app/' })
const { STEPS, STEP_TYPES } = await import('./registry.ts')
vi.unstubAllGlobals()

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const openApi = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'))
const API_TYPES: string[] = openApi.components.schemas.WorkflowStep.properties.type.enum

describe('the step registry', () => {
  it.each(API_TYPES)('defines the step type %s in its own file', (type) => {
    const file = `${type.toLowerCase().replaceAll('_', '-')}.tsx`
    expect(existsSync(path.join(import.meta.dirname, file))).toBe(true)
    const step = STEPS[type as keyof typeof STEPS]
    expect(step).toMatchObject({ title: expect.stringMatching(/./), Form: expect.any(Function) })
    expect(step.summary(step.defaultConfig)).toEqual(expect.any(String))
  })

  it('defines no step types that the API does not have', () => {
    expect([...STEP_TYPES].sort()).toEqual([...API_TYPES].sort())
  })
})

describe('the summary of a step', () => {
  it.each([
    ['DELAY', { amount: 1, unit: 'days' }, '1 day'],
    ['DELAY', { amount: 3, unit: 'hours' }, '3 hours'],
    ['DELAY', { until: { field: 'data.renewsAt' } }, 'Until renewsAt'],
    ['DELAY', { until: { weekday: 1, time: '09:00', timezone: 'UTC' } }, 'Until Monday, 09:00'],
    ['DELAY', { until: { weekday: null, time: '09:00', timezone: 'UTC' } }, 'Until 09:00'],
    ['DELAY', { until: { time: '09:00', timezone: 'UTC' } }, 'Until 09:00'],
    [
      'SPLIT',
      {
        branches: [
          { name: 'A', weight: 3 },
          { name: 'B', weight: 1 },
        ],
      },
      'A 75%, B 25%',
    ],
    ['WAIT_FOR_EVENT', { eventName: 'paid', timeout: 7200 }, 'paid, up to 2 hours'],
    ['WAIT_FOR_EVENT', { eventName: 'paid', timeout: 90 }, 'paid, up to 90 seconds'],
    ['WAIT_FOR_EVENT', { eventName: 'paid', timeout: null }, 'paid'],
    ['CONDITION', { field: 'data.plan', operator: 'exists' }, 'plan is set'],
    ['CONDITION', { field: 'data.plan', operator: 'equals', value: 'pro' }, 'plan is “pro”'],
    ['CONDITION', { field: 'subscribed', operator: 'equals', value: true }, 'Subscribed'],
    ['UPDATE_CONTACT', { updates: { vip: true }, subscribed: false }, 'vip, unsubscribe'],
    ['UPDATE_CONTACT', { updates: {} }, 'No changes yet'],
    ['WEBHOOK', { url: 'https://example.com' }, 'POST https://example.com'],
  ] as const)('describes a %s with %j as "%s"', (type, config, summary) => {
    expect(STEPS[type].summary(config)).toBe(summary)
  })
})

describe('the output of a step', () => {
  it.each([
    ['SEND_EMAIL', { emailId: '1', to: 'ada@example.org', templateId: '2' }, 'Sent to ada@example.org'],
    [
      'SEND_EMAIL',
      { to: 'ada@example.org', reason: 'The address is suppressed.' },
      'Not sent to ada@example.org: The address is suppressed.',
    ],
    ['WAIT_FOR_EVENT', { at: '2026-11-16T19:21:30.694Z', data: {}, event: 'opened-app' }, 'Received opened-app'],
    ['WAIT_FOR_EVENT', { timedOut: true }, 'Timed out, took the “No” branch'],
    ['SPLIT', { branch: 'B' }, 'Took the branch “B”'],
    ['CONDITION', { branch: 'yes', matched: true }, 'Condition met, took the “Yes” branch'],
    ['CONDITION', { branch: 'no', matched: false }, 'Condition not met, took the “No” branch'],
    ['UPDATE_CONTACT', { updates: { stage: 'active', trial: null } }, 'Set stage to active, removed trial'],
    ['UPDATE_CONTACT', { updates: {}, subscribed: false }, 'Unsubscribed the contact'],
    ['WEBHOOK', { statusCode: 200, durationMs: 41, response: 'ok' }, 'Status 200 after 41 ms'],
    ['WEBHOOK', { statusCode: null, durationMs: 41, response: null }, ''],
  ] as const)('is shown for a %s with %j as "%s"', (type, output, text) => {
    expect(STEPS[type].describeOutput(output)).toBe(text)
  })
})
