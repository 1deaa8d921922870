/** French texts of the workflow pages. Those of the step types are in `steps/`. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type { Branch } from '../../../../pages/workflows/steps/step.ts'
import type * as english from '../../../../pages/workflows/texts.ts'
import type { Translation } from '../../../translation.ts'

const count = (amount: number, one: string, other: string) => formatCount(amount, { one, other })

const isAnswer = (branch: string) => branch === 'yes' || branch === 'no'

/** "si oui", "si non". */
const ifAnswer = (branch: string) => (branch === 'yes' ? 'si oui' : 'si non')

/** Whether it is the transition of a step that can take the same one for both branches. */
const isEitherBranch = (branch: Branch, branches: Branch[]) => branch === null && branches.length > 1

export const workflows: Translation<typeof english.workflowTexts> = {
  workflow: 'Workflow',
  workflows: 'Workflows',
  enabled: 'Activé',
  disabled: 'Désactivé',
  name: 'Nom',
  description: 'Description',
  event: 'Événement',
  manualStart: 'Démarrage manuel',
  erasedContact: 'Contact supprimé',
  invalidJson: 'Ce n’est pas du JSON valide.',

  list: {
    lead: 'Envoyez des e-mails et exécutez d’autres étapes automatiquement lorsque quelque chose se produit.',
    create: 'Créer un workflow',
    search: 'Rechercher un workflow',
    columns: {
      trigger: 'Déclencheur',
      status: 'Statut',
      active: 'Actives',
      completed: 'Terminées en 7 jours',
      updated: 'Mise à jour',
    },
    sort: 'Trier par',
    sorts: { '': 'Plus récents d’abord', updatedAt: 'Modifiés récemment', name: 'Nom' },
    noTrigger: '–',
    active: (active) => count(active, 'active', 'actives'),
    noCount: '–',
    actionsFor: (name) => `Actions pour ${name}`,
    emptyTitle: 'Aucun workflow',
    empty:
      'Un workflow exécute une série d’étapes pour un contact lorsqu’un événement se produit. Utilisez-en un pour accueillir de nouveaux clients ou relancer des paniers abandonnés.',
    noMatchTitle: 'Aucun workflow correspondant',
    noMatch: 'Recherchez un autre nom, une autre description ou un autre événement.',
    namePlaceholder: 'Accueillir les nouveaux utilisateurs',
    triggerEvent: 'Événement déclencheur',
    triggerHint:
      'Le workflow démarre pour un contact lorsque cet événement se produit. Vous pourrez modifier le déclencheur plus tard.',
    cancel: 'Annuler',
    submit: 'Créer le workflow',
    import: 'Importer un workflow',
    importFile: 'Fichier de workflow (JSON)',
    importNotJson: 'Ce fichier n’est pas du JSON valide. Choisissez un fichier exporté depuis un workflow.',
    imported: 'Workflow importé. Activez-le pour démarrer des exécutions.',
  },

  starters: {
    title: 'Ou partez d’un workflow prêt à l’emploi',
    upgraded: 'Passé à l’offre payante',
    names: {
      welcome: 'Accueillir les nouveaux utilisateurs',
      trial: 'Prévenir avant la fin d’un essai',
      returning: 'Reconquérir les utilisateurs inactifs',
    },
    descriptions: {
      welcome: 'Envoie un e-mail de bienvenue après l’inscription, et une enquête une semaine plus tard.',
      trial: 'Envoie un rappel 11 jours après le début d’un essai, sauf si le contact passe à l’offre payante.',
      returning:
        'Envoie un e-mail aux utilisateurs inactifs, et enregistre ceux qui reviennent dans les deux semaines.',
    },
  },

  one: {
    tabs: { graph: 'Éditeur', executions: 'Exécutions', settings: 'Paramètres' },
    enable: 'Activer le workflow',
    disable: 'Désactiver le workflow',
    disableShort: 'Désactiver',
    enabledToast: 'Workflow activé.',
    disabledToast: 'Workflow désactivé. Les exécutions actives continuent.',
    duplicate: 'Dupliquer le workflow',
    duplicated: 'Workflow dupliqué. La copie est désactivée.',
    export: 'Exporter le workflow',
    deleted: 'Workflow supprimé.',
    delete: { title: 'Supprimer ce workflow ?', action: 'Supprimer le workflow' },
    deleteHint: 'Le workflow et ses exécutions sont supprimés définitivement. Annulez d’abord les exécutions actives.',
  },

  settings: {
    general: 'Nom et description',
    triggerTitle: 'Déclencheur, réentrée et objectif',
    tags: 'Tags',
    tagsLead:
      'Utilisez des tags pour filtrer la liste des workflows. Les modifications sont enregistrées immédiatement.',
    trigger: 'Déclencheur',
    triggers: { EVENT: 'Un événement', MANUAL: 'Démarrage manuel seulement' },
    reentry: 'Réentrée',
    reentryModes: {
      once: 'Chaque contact entre une seule fois',
      always: 'Les contacts entrent de nouveau après la fin',
      interval: 'Les contacts entrent de nouveau après quelques jours',
    },
    reentryHints: {
      once: 'Un contact qui est passé par le workflow n’y entre plus jamais.',
      always: 'Un contact peut entrer dès que sa dernière exécution est terminée.',
      interval:
        'Les jours sont comptés à partir de la dernière entrée du contact, et sa dernière exécution doit être terminée.',
    },
    reentryDays: 'Jours',
    goal: 'Objectif (facultatif)',
    goalHint:
      'Lorsque cet événement se produit pour un contact, son exécution est terminée, où qu’elle en soit, et compte comme conversion.',
    recorded: (times, contacts) =>
      `Enregistré ${formatNumber(times)} fois pour ${count(contacts, 'contact', 'contacts')}.`,
    notRecorded: 'Aucun événement de ce nom n’est enregistré.',
    triggerChange:
      'Un nouveau déclencheur s’applique aux contacts qui entrent à partir de maintenant. Les contacts déjà dans le workflow continuent.',
    save: 'Enregistrer les paramètres',
    saved: 'Paramètres enregistrés.',
  },

  graph: {
    label: 'Graphe du workflow',
    palette: 'Types d’étapes',
    paletteHint: 'Cliquez sur un type pour ajouter une étape, ou faites-le glisser sur une connexion.',
    trigger: 'Déclencheur',
    noEvent: 'Aucun événement sélectionné',
    notConfigured: 'Pas encore configurée',
    incomplete: 'Complétez cette étape',
    notReached: 'Non atteinte',
    unconnected: 'Aucune étape ne mène ici',
    loop: 'Ces étapes ne peuvent pas être reliées, car la seconde ramène à la première.',
    selfConnection: 'Une étape ne peut pas mener à elle-même.',
    change: { added: 'Nouvelle', changed: 'Modifiée' },
    counts: {
      none: 'Aucun contact',
      active: (amount) => `Ici : ${amount}`,
      entered: (amount) => `Entrées : ${amount}`,
      emails: (sent, opened, clicked) => `Envois : ${sent} · ${opened} ouverts · ${clicked} cliqués`,
      failed: (amount) => `Échecs : ${amount}`,
      converted: (share) => `${share} convertis`,
    },
    addFirst: 'Ajouter la première étape',
    addBefore: (step) => `Ajouter une étape avant « ${step} »`,
    addBetween: (from, to) => `Ajouter une étape entre « ${from} » et « ${to} »`,
    addAfter: (step, branch) =>
      !branch
        ? `Ajouter une étape après « ${step} »`
        : isAnswer(branch)
          ? `Ajouter une étape après « ${step} » ${ifAnswer(branch)}`
          : `Ajouter une étape après « ${step} » sur la branche « ${branch} »`,
    removeConnection: (from, to) => `Supprimer la connexion de « ${from} » à « ${to} »`,
    connectionLabel: (from, to, when) => `De « ${from} » à « ${to} »${when && `, ${when}`}`,
    stepLabel: (step, active) =>
      active > 0
        ? `Étape « ${step} », ${count(active, 'contact s’y trouve', 'contacts s’y trouvent')} actuellement`
        : `Étape « ${step} »`,
    triggerLabel: (trigger) => `Déclencheur : ${trigger}`,
    aria: {
      'node.a11yDescription.default':
        'Appuyez sur Entrée pour modifier l’étape, sur Suppr pour la supprimer et sur les touches fléchées pour la déplacer lorsqu’elle est sélectionnée.',
      'node.a11yDescription.keyboardDisabled': 'Appuyez sur Entrée pour modifier l’étape.',
      'edge.a11yDescription.default':
        'Appuyez sur Entrée pour sélectionner la connexion, puis sur Suppr pour la supprimer.',
      'controls.ariaLabel': 'Affichage',
      'controls.zoomIn.ariaLabel': 'Zoom avant',
      'controls.zoomOut.ariaLabel': 'Zoom arrière',
      'controls.fitView.ariaLabel': 'Afficher tout le graphe',
    },
  },

  tools: {
    label: 'Outils du graphe',
    undo: 'Annuler',
    redo: 'Rétablir',
    tidy: 'Réorganiser le graphe',
    tidyShort: 'Réorganiser',
    simulate: 'Simuler le workflow',
    simulateShort: 'Simuler',
    versions: 'Afficher les versions',
    versionsShort: 'Versions',
  },

  trigger: {
    title: 'Déclencheur',
    lead: 'Choisissez ce qui démarre ce workflow pour un contact.',
    save: 'Enregistrer',
    saved: 'Déclencheur enregistré.',
  },

  publishing: {
    label: 'Modifications non publiées',
    summary: ({ added, changed, removed }) => {
      const parts = [
        added.length > 0 && count(added.length, 'ajoutée', 'ajoutées'),
        changed.length > 0 && count(changed.length, 'modifiée', 'modifiées'),
        removed.length > 0 && count(removed.length, 'supprimée', 'supprimées'),
      ].filter((part) => part !== false)
      return parts.length > 0 ? `Étapes non publiées : ${parts.join(', ')}` : 'Modifications non publiées'
    },
    saved: 'Brouillon enregistré.',
    saving: 'Enregistrement du brouillon…',
    failed: 'Le brouillon n’a pas pu être enregistré.',
    conflict: 'Le brouillon a été modifié dans une autre fenêtre. Le vôtre n’existe que dans celle-ci.',
    saveOver: 'Écraser avec le mien',
    outdated: 'Les étapes publiées ont été modifiées depuis le début de ce brouillon. La publication les remplace.',
    retry: 'Enregistrer de nouveau',
    reload: 'Charger l’autre brouillon',
    publish: 'Publier',
    published: 'Modifications publiées. Les contacts suivent désormais les nouvelles étapes.',
    publishedDisabled: 'Modifications publiées. Activez le workflow pour démarrer des exécutions.',
    invalid: 'Complétez les étapes signalées avant de publier.',
    discard: 'Abandonner',
    discardTitle: 'Abandonner les modifications non publiées ?',
    discardEffect: ({ added, changed, removed }) =>
      `Le graphe revient à la version publiée : ${count(added.length, 'nouvelle étape est supprimée', 'nouvelles étapes sont supprimées')}, ${count(changed.length, 'modification est annulée', 'modifications sont annulées')} et ${count(removed.length, 'étape supprimée est rétablie', 'étapes supprimées sont rétablies')}. Vous pouvez annuler cette action tant que vous n’avez pas quitté la page.`,
    keep: 'Garder les modifications',
  },

  removal: {
    title: (step, steps) => (step ? `Supprimer « ${step} » ?` : `Supprimer ${count(steps, 'étape', 'étapes')} ?`),
    lead: (contacts, steps) => {
      const place = steps === 1 ? 'à cette étape' : 'à ces étapes'
      return `${count(contacts, `contact se trouve ${place} et y reste`, `contacts se trouvent ${place} et y restent`)} jusqu’à la publication de vos modifications. Choisissez ce qui se passera alors.`
    },
    choice: 'Ce qui se passe pour eux',
    move: {
      title: 'Les déplacer vers l’étape suivante',
      hint: 'Ils continuent immédiatement avec l’étape suivante. S’il n’y en a pas, leurs exécutions se terminent.',
    },
    moveTo: (step, branch) =>
      step
        ? {
            title: 'Les déplacer vers l’étape suivante',
            hint: `Ils continuent immédiatement avec « ${step} »${branch ? `, comme sur la branche « ${branch} »` : ''}.`,
          }
        : {
            title: 'Terminer leurs exécutions',
            hint: 'Aucune étape ne suit : ils atteignent la fin du workflow.',
          },
    cancel: { title: 'Annuler leurs exécutions', hint: 'Ils quittent le workflow et n’en reçoivent plus rien.' },
    keep: (steps) => (steps === 1 ? 'Garder l’étape' : 'Garder les étapes'),
    remove: (steps) => (steps === 1 ? 'Supprimer l’étape' : 'Supprimer les étapes'),
  },

  enabling: {
    title: 'Activer ce workflow',
    lead: 'Il démarre lorsque des contacts entrent dans un segment.',
    label: 'Démarrer pour',
    options: {
      new: {
        title: 'Les contacts qui entrent à partir de maintenant',
        hint: 'Il ne démarre pas pour les contacts actuellement dans le segment.',
      },
      all: {
        title: 'Aussi ceux qui s’y trouvent actuellement',
        hint: 'Pour les contacts déjà passés par ce workflow, il ne démarre que s’il autorise la réentrée.',
      },
    },
    cancel: 'Annuler',
    enable: 'Activer le workflow',
  },

  versions: {
    title: 'Versions',
    lead: 'À chaque publication, le graphe est enregistré comme version.',
    empty: 'Aucune version. Publiez vos modifications pour créer la première.',
    name: (number) => `Version ${formatNumber(number)}`,
    current: '(dernière)',
    steps: (steps) => count(steps, 'étape', 'étapes'),
    numbers: (started, completed, failed) =>
      `${count(started, 'contact entré', 'contacts entrés')} · ${completed} terminés · ${failed} en échec`,
    converted: (share) => `${share} ont atteint l’objectif`,
    numbersHint: `Contacts qui ont commencé avec cette version, au plus les ${formatNumber(5000)} derniers.`,
    restore: 'Charger en brouillon',
    restoreLabel: (number) => `Charger la version ${formatNumber(number)} en brouillon`,
    restored: (number) => `La version ${formatNumber(number)} est maintenant le brouillon. Publiez-la pour l’utiliser.`,
  },

  start: {
    open: 'Démarrer pour des contacts',
    title: 'Démarrer ce workflow',
    lead: 'Les contacts qui sont déjà dans le workflow ou ne peuvent pas y entrer de nouveau sont ignorés.',
    audience: 'Démarrer pour',
    audiences: { contact: 'Un contact', segment: 'Un segment' },
    segment: 'Segment',
    segmentSize: (members) => `${count(members, 'contact', 'contacts')} dans ce segment.`,
    submit: 'Démarrer le workflow',
    startedContact: (email) => `Workflow démarré pour ${email}.`,
    startedSegment: (segment) => `Démarrage du workflow pour les contacts de « ${segment} ».`,
  },

  branches: {
    name: (branch) => (isAnswer(branch) ? (branch === 'yes' ? 'Oui' : 'Non') : branch),
    next: (branch, branches) => {
      if (branch)
        return isAnswer(branch) ? `Étape suivante ${ifAnswer(branch)}` : `Étape suivante, branche « ${branch} »`
      return isEitherBranch(branch, branches) ? 'Étape suivante dans les deux cas' : 'Étape suivante'
    },
  },

  step: {
    label: 'Étape',
    close: 'Fermer le panneau',
    none: 'Aucune',
    duplicate: 'Dupliquer',
    remove: 'Supprimer l’étape',
    removeMany: (steps) => `Supprimer ${count(steps, 'étape', 'étapes')}`,
    removedToast: (steps) => `${count(steps, 'étape supprimée', 'étapes supprimées')}.`,
    selected: (steps) => count(steps, 'étape sélectionnée', 'étapes sélectionnées'),
    selectedHint:
      'Faites glisser les étapes pour les déplacer ensemble, ou copiez-les avec Ctrl+C et collez-les dans n’importe quel workflow.',
    removed: (type) => `${type} (supprimée)`,
  },

  simulation: {
    title: 'Simuler',
    lead: 'Voyez quelles étapes s’exécuteraient pour un contact. Rien n’est envoyé ni modifié.',
    contact: 'Contact',
    assumeEvents: 'Supposer que les événements attendus par le workflow se produisent',
    eventData: 'Données de l’événement (JSON)',
    submit: 'Lancer la simulation',
    incomplete: 'Complétez les étapes signalées avant de simuler le workflow.',
    clear: 'Effacer',
    path: 'Parcours simulé',
    result: 'Résultat :',
  },
}
