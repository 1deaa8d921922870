import { expect, it } from 'vitest'
import { textFor } from './index.ts'

it('a field is described by its path if its name means something else there, and otherwise by its name', () => {
  expect(textFor(['Webhook', 'ApiKey', 'createdAt'])).toBe('When the API key was created.')
  expect(textFor(['WebhookDeliveryDetails', 'createdAt'])).toBe('When the webhook delivery was created.')
  expect(textFor(['Project', 'quietHours', 'from'])).toMatch(/^Time at which the quiet hours begin/)
  expect(textFor(['Email', 'from'])).toBe('Address of the sender.')
  expect(textFor(['Campaign', 'variants', 'data', 'name'])).toBe('Name of the variant.')
  expect(textFor(['Campaign', 'constructor'])).toBeUndefined()
})
