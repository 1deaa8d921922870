import { describe, expect, it } from 'vitest'
import { operationIds } from './openapi-names.ts'

const places = (lines: string[]) =>
  lines.map((line) => {
    const [method, path] = line.split(' ')
    return { method: method!, path: path! }
  })

describe('an operation id', () => {
  it.each([
    ['GET /contacts', 'listContacts'],
    ['POST /contacts', 'createContact'],
    ['GET /contacts/{id}', 'getContact'],
    ['PATCH /contacts/{id}', 'updateContact'],
    ['PUT /campaigns/{id}', 'replaceCampaign'],
    ['DELETE /contacts/{id}', 'deleteContact'],
    ['POST /campaigns/{id}/send', 'sendCampaign'],
    ['GET /campaigns/{id}/stats', 'getCampaignStats'],
    ['POST /contacts/lookup', 'lookupContacts'],
    ['POST /contacts/bulk-subscribe', 'bulkSubscribeContacts'],
    ['GET /contacts/fields/{field}/values', 'listContactFieldValues'],
    ['PATCH /workflows/{id}/steps/{stepId}', 'updateWorkflowStep'],
    ['DELETE /segments/{id}/members', 'deleteSegmentMembers'],
    ['GET /activity', 'getActivity'],
    ['GET /users/@me', 'getUserMe'],
    ['POST /v1/send', 'send'],
    ['GET /', 'getRoot'],
  ])('is made from the method and the path: %s is %s', (line, id) => {
    expect(operationIds(places([line]))).toEqual([id])
  })

  it('contains the whole path if two routes would share an ID', () => {
    expect(operationIds(places(['POST /contacts/import', 'POST /v1/contacts/import', 'GET /contacts']))).toEqual([
      'postContactsImport',
      'postV1ContactsImport',
      'listContacts',
    ])
  })

  it('is unique across lists, items and actions of one resource', () => {
    const ids = operationIds(
      places([
        'GET /workflows',
        'POST /workflows',
        'GET /workflows/fields',
        'GET /workflows/{id}',
        'GET /workflows/{id}/executions',
        'POST /workflows/{id}/executions',
        'GET /workflows/{id}/executions/{executionId}',
        'DELETE /workflows/{id}/executions/{executionId}',
        'POST /workflows/{id}/executions/cancel-all',
        'GET /events/names',
        'GET /events/{eventName}/usage',
        'GET /events/contact/{contactId}',
        'GET /contacts/import/{jobId}',
        'GET /contacts/bulk/{jobId}',
      ]),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^[a-z][A-Za-z0-9]+$/.test(id))).toBe(true)
  })
})
