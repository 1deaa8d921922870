import { sharedTexts } from '../shell/texts.ts'

/** The service has English names for the two keys of a project. */
export const keyName = (name: string): string =>
  ({ 'Secret key': sharedTexts.secretKey, 'Public key': sharedTexts.publicKey })[name] ?? name
