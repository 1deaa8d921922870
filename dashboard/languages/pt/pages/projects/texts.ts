/** Portuguese texts of the page that creates a project. */
import type * as english from '../../../../pages/projects/texts.ts'
import type { Translation } from '../../../translation.ts'

export const projects: Translation<typeof english.texts> = {
  title: 'Criar um projeto',
  lead: 'Cada projeto tem seus próprios contatos, modelos, domínios e chaves de API. A maioria das equipes cria um por produto.',
  back: 'Voltar',
  name: 'Nome',
  namePlaceholder: 'Meu produto',
  submit: 'Criar projeto',
  readyTitle: (name: string) => `${name}: tudo pronto`,
  readyLead: 'Guarde a chave secreta agora. Não será possível vê-la novamente.',
  secretKey: 'Chave secreta (para seus servidores)',
  copySecretKey: 'Copiar chave secreta',
  publicKey: 'Chave pública (para registrar eventos em navegadores e aplicativos)',
  copyPublicKey: 'Copiar chave pública',
  open: 'Abrir projeto',
}
