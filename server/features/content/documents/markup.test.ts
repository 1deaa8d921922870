import { expect, it } from 'vitest'
import { unsafeMarkup } from './markup.ts'

const reasonOf = (code: string) => unsafeMarkup({ field: 'code', code })[0]?.message

it.each([
  ['<{{x}}script>alert(1)</script>', /Liquid in the name/],
  ['<scr{% if a %}ipt{% endif %}>', /Liquid in the name/],
  ['<{% comment %}x{% endcomment %}iframe src="x">', /Liquid in the name/],
  ['<img src=x {{a}}onerror=1>', /Liquid in the name/],
  ['<img src=x on{% if a %}{% endif %}error=1>', /Liquid in the name/],
  ['<img src=x {% if a %}on{% else %}x{% endif %}error=1>', /Liquid in the name/],
  ['<img src=x {% echo "onerror" %}=1>', /Liquid in the name/],
  ['<img src=x {{ attributes }}>', /Liquid in the name/],
  ['<img src=x {% if a %}onerror=1{% endif %}>', /onerror/],
  ['<a href="{{x}}javascript:1">', /href/],
  ['<a href="java{{x}}script:1">', /href/],
  ['<a href="java&#1{{x}}15;cript:1">', /href/],
  ['<a href="{% if a %}https:{% else %}javascript:{% endif %}1">', /href/],
  ['<a href="java{% unless a %}x{% else %}script:{% endunless %}1">', /href/],
  ['<a href="{% raw %}javascript{% endraw %}:1">', /href/],
  ['<a title="{{ "\'>" }}" href="javascript:1">', /href/],
  ['<p style="width:expres{{x}}sion(1)">', /style/],
  ['<svg><animate attributeName=href values="javascript:1">', /animate elements/],
  ['<svg><set attributeName="href" to="javascript:1"/></svg>', /set elements/],
  ['<svg><animateMotion path="M0"/></svg>', /animatemotion elements/],
  ['<svg><animateTransform type="rotate"/></svg>', /animatetransform elements/],
  ['<frameset onload=1>', /frameset elements/],
])('%s is refused in an HTML block', (code, message) => {
  expect(reasonOf(code)).toMatch(message)
})

it.each([
  '<a href="{{ url }}">{{ label }}</a>',
  '<a href="{% if secure %}https{% else %}http{% endif %}://example.org/{{ path }}?a={{ b }}">x</a>',
  '<a href="https://example.org/?q=javascript:{{ x }}">x</a>',
  '<td {% if a %}style="color:{{ color }}"{% else %}class="b"{% endif %} width="{{ width }}">x</td>',
  '{% for item in items %}<p>{{ item.name | upcase }} &lt; {{ item.price }}</p>{% endfor %}',
  '<p title="{{ name ?? "you" }}">a <b>{{ x }}</b></p>',
])('%s is accepted in an HTML block', (code) => {
  expect(reasonOf(code)).toBeUndefined()
})
