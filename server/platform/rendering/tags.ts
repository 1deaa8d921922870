/**
 * The tags that differ from the engine's: those that load files are refused, {% capture %} remembers what is escaped,
 * counters don't change the data, and comments are checked in linear time.
 */
import {
  type Arguments,
  CaptureTag,
  type Context,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  type Value,
} from 'liquidjs'
import { BoundedText, Captured, renderContext } from './context.ts'
import { readOutput } from './parser.ts'
import { DialectTokenizer } from './tokenizer.ts'

class RefusedTag extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], engine: Liquid) {
    super(token, rest, engine)
    throw new Error(`{% ${token.name} %} is not supported: a template can't load other templates.`)
  }

  override render(): void {}
}

class KeptCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = new BoundedText()
    yield this.liquid.renderer.renderTemplates(this.templates, context, captured)
    context.memoryLimit.use(captured.buffer.length)
    const { options } = renderContext(context)
    context.bottom()[this.variable] = options.escape ? new Captured(captured.buffer) : captured.buffer
  }
}

class EchoTag extends Tag {
  private readonly value: Value | undefined

  constructor(token: TagToken, rest: TopLevelToken[], engine: Liquid) {
    super(token, rest, engine)
    const { tokenizer } = token
    if (tokenizer instanceof DialectTokenizer && !tokenizer.end()) this.value = readOutput(tokenizer, engine)
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    if (this.value) emitter.write(yield this.value.value(context, false))
  }

  *arguments(): Arguments {
    if (this.value) yield this.value
  }
}

/** A counter is independent: it neither starts from a variable of the same name nor changes it. */
class CounterTag extends Tag {
  private readonly identifier: ReturnType<TagToken['tokenizer']['readIdentifier']>

  constructor(token: TagToken, rest: TopLevelToken[], engine: Liquid) {
    super(token, rest, engine)
    this.identifier = token.tokenizer.readIdentifier()
    token.tokenizer.assert(this.identifier.content, 'expected the name of a counter')
  }

  override render(context: Context, emitter: Emitter): void {
    const counters: Record<string, unknown> = context.globals
    const name = this.identifier.content
    const count = Number(counters[name] ?? 0)
    counters[name] = this.name === 'increment' ? count + 1 : count - 1
    emitter.write(this.name === 'increment' ? count : count - 1)
  }

  *localScope() {
    yield this.identifier
  }
}

class InlineComment extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], engine: Liquid) {
    super(token, rest, engine)
    const further = token.args.split('\n').slice(1)
    if (further.some((line) => line.trim() !== '' && !line.trim().startsWith('#'))) {
      throw new Error('every line of this comment must start with "#"')
    }
  }

  override render(): void {}
}

export function registerTags(engine: Liquid): void {
  for (const name of ['include', 'render', 'layout', 'block']) engine.registerTag(name, RefusedTag)
  engine.registerTag('capture', KeptCapture)
  engine.registerTag('echo', EchoTag)
  engine.registerTag('increment', CounterTag)
  engine.registerTag('decrement', CounterTag)
  engine.registerTag('#', InlineComment)
}
