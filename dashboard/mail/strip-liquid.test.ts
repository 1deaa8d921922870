import { expect, it } from 'vitest'
import { stripLiquid } from './strip-liquid.ts'

it.each([
  ['Hi {{name ?? "there"}}!', 'Hi there!'],
  ["Hi {{ name | default: 'friend' | upcase }}", 'Hi friend'],
  ['Hi {{ name | default: &quot;friend&quot; }}', 'Hi friend'],
  ['Order {{order}}', 'Order …'],
  ['{{ name ?? "" }}.', '.'],
  ['{% if pro %}Pro{% elsif plus %}Plus{% else %}Free{% endif %} plan', 'Pro plan'],
  ['{% if a %}A{% else %}{% for b in c %}B{% endfor %}C{% endif %}!', 'A!'],
  ['{% if a %}{% if b %}B{% else %}C{% endif %}A{% else %}D{% endif %}!', 'BA!'],
  ['{%- for item in items -%}<li>{{ item.name }}</li>{%- endfor -%}', '<li>…</li>'],
])('stripLiquid shows %s as %s', (html, shown) => {
  expect(stripLiquid(html)).toBe(shown)
})
