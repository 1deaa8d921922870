/** Portuguese texts of what the checks of an email find, by code: what is wrong, and how to fix it. */

import type { FindingTexts } from '../../../mail/finding-texts.ts'

export const finding: FindingTexts = {
  'check.stopped': {
    problem: 'A verificação demorou demais e foi interrompida.',
    fix: 'Encurte o e-mail ou use menos elementos.',
  },
  'audience.empty': { problem: 'Nenhum contato deste público receberia o e-mail.', fix: 'Escolha outro público.' },
  'variable.missing': {
    problem: 'Falta um valor para alguns destinatários',
    fix: 'Adicione um valor alternativo ou mostre o texto somente se houver um valor.',
  },
  'variable.unknown': {
    problem: 'Nenhum contato tem este campo',
    fix: 'Confira o nome, adicione um valor alternativo ou envie o valor em `data` com cada e-mail.',
  },
  'client.unsupported': {
    problem: 'Alguns programas de e-mail não aceitam este elemento',
    fix: 'Substitua-o por algo mais simples, por exemplo uma tabela, uma imagem ou um link.',
  },
  'contrast.low': { problem: 'Um texto se destaca pouco do fundo', fix: 'Escolha uma cor mais escura ou mais clara.' },
  'image.alt': {
    problem: 'Uma imagem não tem texto alternativo',
    fix: 'Descreva a imagem no texto alternativo ou marque-a como decorativa.',
  },
  'text.sample': {
    problem: 'Um texto da galeria não foi alterado',
    fix: 'Substitua o texto de exemplo pelo seu ou remova o bloco.',
  },
  'link.empty': { problem: 'Um link não tem URL.', fix: 'Digite a URL de uma página ou remova o link.' },
  'link.unsafe': {
    problem: 'Um link executa código ou abre um arquivo local. Os programas de e-mail o bloqueiam',
    fix: 'Use uma URL que comece com https://.',
  },
  'link.relative': {
    problem: 'Um link não tem domínio, portanto não funciona em um e-mail',
    fix: 'Use a URL completa, que começa com https://.',
  },
  'link.broken': { problem: 'Uma URL não é válida', fix: 'Verifique se há erros de digitação na URL.' },
  'link.example': { problem: 'Um link leva a um domínio de exemplo', fix: 'Digite a URL da sua própria página.' },
  'link.private': {
    problem: 'Um link leva a um endereço privado, que os destinatários não conseguem abrir',
    fix: 'Use a URL pública da página.',
  },
  'link.insecure': {
    problem: 'Um link não é criptografado. Os navegadores alertam sobre essas páginas',
    fix: 'Use https:// em vez de http://.',
  },
  'image.empty': { problem: 'Uma imagem não tem URL.', fix: 'Escolha uma imagem ou remova-a.' },
  'image.embedded': {
    problem: 'Uma imagem está incorporada como URL data:, que o Gmail não mostra.',
    fix: 'Carregue a imagem e use a URL dela.',
  },
  'image.broken': { problem: 'Uma imagem não tem uma URL válida', fix: 'Use a URL completa, que começa com https://.' },
  'image.private': {
    problem: 'Uma imagem está em um endereço privado, portanto os destinatários não a veem',
    fix: 'Carregue a imagem e use a URL dela.',
  },
  'image.insecure': {
    problem: 'Uma imagem não é criptografada, portanto alguns programas de e-mail não a mostram',
    fix: 'Use https:// em vez de http://.',
  },
  'image.large': {
    problem: 'Uma imagem é tão grande que carrega devagar em celulares',
    fix: 'Use uma imagem menor ou mais comprimida.',
  },
  'unsubscribe.missing': {
    problem:
      'O e-mail não tem link de cancelamento de inscrição. E-mails headless não têm rodapé, e e-mails de marketing exigem um link.',
    fix: 'Adicione um link para {{unsubscribeUrl}} ou use o tipo “Marketing”.',
  },
  'address.missing': {
    problem: 'Falta o endereço postal, que muitos países exigem em e-mails de marketing.',
    fix: 'Digite o endereço nas configurações da marca, ou informe ali que seus e-mails já o contêm.',
  },
  'spam.phrase': {
    problem: 'Os filtros de spam procuram esta expressão',
    fix: 'Use outras palavras. Essas expressões aumentam a pontuação de spam de um e-mail.',
  },
  'body.empty': { problem: 'O e-mail está vazio.', fix: 'Adicione conteúdo.' },
  'text.little': {
    problem:
      'O e-mail tem muito pouco texto. Filtros de spam costumam recusar e-mails feitos só de imagens e, com imagens bloqueadas, nada aparece.',
    fix: 'Escreva o conteúdo importante como texto.',
  },
  'size.clipped': {
    problem: 'O HTML é tão longo que o Gmail corta o final do e-mail.',
    fix: 'Encurte o e-mail ou mova partes para uma página da web.',
  },
  'subject.empty': { problem: 'O assunto está vazio.', fix: 'Escreva um assunto.' },
  'subject.long': {
    problem: 'O assunto é tão longo que os celulares mostram apenas o começo.',
    fix: 'Encurte-o e comece pelas palavras mais importantes.',
  },
  'subject.capitals': {
    problem: 'O assunto está escrito em letras maiúsculas.',
    fix: 'Use maiúsculas e minúsculas como em qualquer frase.',
  },
  'subject.punctuation': {
    problem: 'O assunto tem vários pontos de exclamação ou de interrogação.',
    fix: 'Use no máximo um.',
  },
  'subject.reply': {
    problem: 'O assunto parece uma resposta ou um encaminhamento.',
    fix: 'Remova “Re:” ou “Fwd:”. Destinatários e filtros consideram isso enganoso.',
  },
  'preheader.missing': {
    problem: 'Não há pré-cabeçalho. As caixas de entrada mostram as primeiras palavras do e-mail no lugar dele.',
    fix: 'Escreva um pré-cabeçalho que complemente o assunto.',
  },
  'preheader.long': {
    problem: 'O pré-cabeçalho é tão longo que as caixas de entrada mostram apenas o começo.',
    fix: 'Encurte-o.',
  },
  'preheader.repeated': {
    problem: 'O pré-cabeçalho repete o assunto.',
    fix: 'Escreva um pré-cabeçalho que complemente o assunto.',
  },
}
