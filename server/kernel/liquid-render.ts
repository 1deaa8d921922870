/**
 * Renders one node after the other. The engine does it in steps of a generator, with a look at the clock before each.
 * Text and plain values need neither, and a mail is made of little else.
 */
import { type Context, type Emitter, LiquidError, RenderError, type Template } from 'liquidjs'
import { BoundedText, renderContext } from './liquid-context.ts'

export function* renderNodes(nodes: Template[], context: Context, emitter: Emitter = new BoundedText()) {
  const { clock } = renderContext(context)
  for (const node of nodes) {
    try {
      let html: unknown = node.render(context, emitter)
      if (typeof html === 'object') {
        clock.look()
        html = yield html
      } else clock.lookOnceInAWhile()
      if (html) emitter.write(html)
    } catch (error) {
      throw LiquidError.is(error) ? error : new RenderError(error as Error, node)
    }
    if (context.breakCalled || context.continueCalled) break
  }
  return emitter.buffer
}
