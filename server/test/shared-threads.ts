/**
 * The services that work in threads, one of each for all test files of a process. They keep nothing between jobs, and
 * starting a thread from its sources takes longer than most test files need for their work. An idle thread doesn't keep
 * the process running.
 */
import type { Context } from '../context.ts'
import { createComposer } from '../platform/mime/composer.ts'
import { createMessageReader, type MessageReader } from '../platform/mime/message-reader.ts'
import { createSigner } from '../platform/mime/signer.ts'
import { createMjmlCompiler } from '../platform/mjml/mjml-compiler.ts'
import { createRenderer } from '../platform/rendering/renderer.ts'

type Threads = Pick<Context, 'renderer' | 'mjml' | 'composer' | 'signer' | 'messageReader'>

let threads: Omit<Threads, 'messageReader'> | undefined
/** By the settings that limit their memory. */
const messageReaders = new Map<string, MessageReader>()

export function sharedThreads({ INBOUND_MAX_MB, MESSAGE_MAX_MB }: Context['settings']): Threads {
  threads ??= {
    renderer: createRenderer(),
    mjml: createMjmlCompiler(),
    composer: createComposer(),
    signer: createSigner(),
  }
  const limits = `${INBOUND_MAX_MB} ${MESSAGE_MAX_MB}`
  const messageReader = messageReaders.get(limits) ?? createMessageReader({ INBOUND_MAX_MB, MESSAGE_MAX_MB })
  messageReaders.set(limits, messageReader)
  return { ...threads, messageReader }
}
