/** Runs in a rendering thread: one template at a time, until it is stopped. */
import { parentPort } from 'node:worker_threads'
import type { RenderReply, RenderRequest } from './renderer.ts'
import { parseTemplate, renderTemplate, scopeOf } from './template.ts'
import { TemplateError } from './template-error.ts'

function replyTo({ source, scope, options }: RenderRequest): RenderReply {
  try {
    // A scope loses its prototypes on the way here; it gets them back.
    return { kind: 'rendered', text: renderTemplate(parseTemplate(source), scopeOf(scope), options) }
  } catch (error) {
    if (!(error instanceof TemplateError)) return { kind: 'broken', message: String(error) }
    const { reason, message, line, column } = error
    return { kind: 'failed', reason, message, line, column }
  }
}

const port = parentPort
if (!port) throw new Error('This file runs only in a thread.')
const send = (reply: RenderReply) => port.postMessage(reply)

port.on('message', (request: RenderRequest) => send(replyTo(request)))
send({ kind: 'ready' })
