/** Chooses from a list that is searched by typing. */
import type { Locator } from 'playwright-core'

export async function choose(field: Locator, label: string): Promise<void> {
  // The list that opens has the label of the field too.
  const input = (await field.elementHandle())!
  await input.click()
  await input.fill(label)
  await field.page().getByRole('option', { name: label }).first().click()
}
