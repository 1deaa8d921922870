/** German texts of the workflow pages. Those of the step types are in `steps/`. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/workflows/texts.ts'
import type { Translation } from '../../../translation.ts'

const contacts = (count: number) => formatCount(count, { one: 'Kontakt', other: 'Kontakte' })

const steps = (count: number) => formatCount(count, { one: 'Schritt', other: 'Schritte' })

const isAnswer = (branch: string) => branch === 'yes' || branch === 'no'

const branchName = (branch: string) => (isAnswer(branch) ? (branch === 'yes' ? 'Ja' : 'Nein') : branch)

export const workflows: Translation<typeof english.workflowTexts> = {
  workflow: 'Workflow',
  workflows: 'Workflows',
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  name: 'Name',
  description: 'Beschreibung',
  event: 'Ereignis',
  manualStart: 'Manueller Start',
  erasedContact: 'Gelöschter Kontakt',
  invalidJson: 'Das ist kein gültiges JSON.',

  list: {
    lead: 'Senden Sie automatisch E-Mails und führen Sie andere Schritte aus, wenn etwas geschieht.',
    create: 'Workflow erstellen',
    search: 'Workflows durchsuchen',
    columns: {
      trigger: 'Auslöser',
      status: 'Status',
      active: 'Aktiv',
      completed: 'Abgeschlossen (7 Tage)',
      updated: 'Aktualisiert',
    },
    sort: 'Sortieren nach',
    sorts: { '': 'Neueste zuerst', updatedAt: 'Zuletzt bearbeitet', name: 'Name' },
    noTrigger: '–',
    active: (active) => `${formatNumber(active)} aktiv`,
    noCount: '–',
    actionsFor: (name) => `Aktionen für ${name}`,
    emptyTitle: 'Noch keine Workflows',
    empty:
      'Ein Workflow führt für einen Kontakt eine Reihe von Schritten aus, wenn ein Ereignis eintritt. Begrüßen Sie damit neue Kunden oder fassen Sie bei abgebrochenen Warenkörben nach.',
    noMatchTitle: 'Keine passenden Workflows',
    noMatch: 'Suchen Sie nach einem anderen Namen, einer anderen Beschreibung oder einem anderen Ereignis.',
    namePlaceholder: 'Neue Nutzer begrüßen',
    triggerEvent: 'Auslösendes Ereignis',
    triggerHint:
      'Der Workflow startet für einen Kontakt, wenn dieses Ereignis eintritt. Sie können den Auslöser später ändern.',
    cancel: 'Abbrechen',
    submit: 'Workflow erstellen',
    import: 'Workflow importieren',
    importFile: 'Workflow-Datei (JSON)',
    importNotJson:
      'Diese Datei ist kein gültiges JSON. Wählen Sie eine Datei, die aus einem Workflow exportiert wurde.',
    imported: 'Workflow importiert. Aktivieren Sie ihn, um Durchläufe zu starten.',
  },

  starters: {
    title: 'Oder mit einem fertigen Workflow beginnen',
    upgraded: 'Upgrade erfolgt',
    names: {
      welcome: 'Neue Nutzer begrüßen',
      trial: 'Nutzer vor Ende der Testphase erinnern',
      returning: 'Inaktive Nutzer zurückgewinnen',
    },
    descriptions: {
      welcome: 'Sendet nach der Anmeldung eine Begrüßung und eine Woche später eine Umfrage.',
      trial: 'Sendet 11 Tage nach Beginn einer Testphase eine Erinnerung, außer bei einem Upgrade.',
      returning: 'Sendet eine E-Mail an inaktive Nutzer und hält fest, wer innerhalb von zwei Wochen zurückkehrt.',
    },
  },

  one: {
    tabs: { graph: 'Editor', executions: 'Durchläufe', settings: 'Einstellungen' },
    enable: 'Workflow aktivieren',
    disable: 'Workflow deaktivieren',
    disableShort: 'Deaktivieren',
    enabledToast: 'Workflow aktiviert.',
    disabledToast: 'Workflow deaktiviert. Aktive Durchläufe laufen weiter.',
    duplicate: 'Workflow duplizieren',
    duplicated: 'Workflow dupliziert. Die Kopie ist deaktiviert.',
    export: 'Workflow exportieren',
    deleted: 'Workflow gelöscht.',
    delete: { title: 'Diesen Workflow löschen?', action: 'Workflow löschen' },
    deleteHint: 'Der Workflow und seine Durchläufe werden endgültig gelöscht. Brechen Sie aktive Durchläufe zuerst ab.',
  },

  settings: {
    general: 'Name und Beschreibung',
    triggerTitle: 'Auslöser, Wiedereintritt und Ziel',
    tags: 'Schlagwörter',
    tagsLead: 'Filtern Sie mit Schlagwörtern die Liste der Workflows. Änderungen werden sofort gespeichert.',
    trigger: 'Auslöser',
    triggers: { EVENT: 'Ein Ereignis', MANUAL: 'Nur manueller Start' },
    reentry: 'Wiedereintritt',
    reentryModes: {
      once: 'Jeder Kontakt tritt einmal ein',
      always: 'Kontakte treten nach dem Ende erneut ein',
      interval: 'Kontakte treten nach einigen Tagen erneut ein',
    },
    reentryHints: {
      once: 'Ein Kontakt, der schon im Workflow war, tritt nie wieder ein.',
      always: 'Ein Kontakt kann eintreten, sobald sein letzter Durchlauf beendet ist.',
      interval: 'Die Tage zählen ab dem letzten Eintritt des Kontakts, und sein letzter Durchlauf muss beendet sein.',
    },
    reentryDays: 'Tage',
    goal: 'Ziel (optional)',
    goalHint:
      'Wenn dieses Ereignis für einen Kontakt eintritt, ist sein Durchlauf abgeschlossen, wo immer er gerade ist, und zählt als Conversion.',
    recorded: (times, count) => `${formatCount(times, { one: 'Mal', other: 'Mal' })} für ${contacts(count)} erfasst.`,
    notRecorded: 'Es sind keine Ereignisse mit diesem Namen gespeichert.',
    triggerChange:
      'Ein neuer Auslöser gilt für Kontakte, die ab jetzt eintreten. Kontakte, die schon im Workflow sind, fahren fort.',
    save: 'Einstellungen speichern',
    saved: 'Einstellungen gespeichert.',
  },

  graph: {
    label: 'Graph des Workflows',
    palette: 'Schritttypen',
    paletteHint: 'Klicken Sie auf einen Typ, um einen Schritt hinzuzufügen, oder ziehen Sie ihn auf eine Verbindung.',
    trigger: 'Auslöser',
    noEvent: 'Kein Ereignis gewählt',
    notConfigured: 'Noch nicht eingerichtet',
    incomplete: 'Schritt vervollständigen',
    notReached: 'Nicht erreicht',
    unconnected: 'Kein Schritt führt hierher',
    loop: 'Diese Schritte lassen sich nicht verbinden, weil der zweite zum ersten zurückführt.',
    selfConnection: 'Ein Schritt kann nicht zu sich selbst führen.',
    change: { added: 'Neu', changed: 'Bearbeitet' },
    counts: {
      none: 'Noch keine Kontakte',
      active: (amount) => `${amount} jetzt hier`,
      entered: (amount) => `${amount} eingetreten`,
      emails: (sent, opened, clicked) => `${sent} gesendet · ${opened} geöffnet · ${clicked} geklickt`,
      failed: (amount) => `${amount} fehlgeschlagen`,
      converted: (share) => `${share} konvertiert`,
    },
    addFirst: 'Ersten Schritt hinzufügen',
    addBefore: (step) => `Schritt vor „${step}“ hinzufügen`,
    addBetween: (from, to) => `Schritt zwischen „${from}“ und „${to}“ hinzufügen`,
    addAfter: (step, branch) =>
      branch
        ? `Schritt nach „${step}“ im Zweig „${branchName(branch)}“ hinzufügen`
        : `Schritt nach „${step}“ hinzufügen`,
    removeConnection: (from, to) => `Verbindung von „${from}“ zu „${to}“ entfernen`,
    connectionLabel: (from, to, when) => `Von „${from}“ zu „${to}“${when && `, ${when}`}`,
    stepLabel: (step, active) =>
      active > 0
        ? `Schritt „${step}“, ${formatCount(active, { one: 'Kontakt ist', other: 'Kontakte sind' })} jetzt hier`
        : `Schritt „${step}“`,
    triggerLabel: (trigger) => `Auslöser: ${trigger}`,
    aria: {
      'node.a11yDescription.default':
        'Mit der Eingabetaste bearbeiten Sie den Schritt, mit Entf entfernen Sie ihn. Solange er ausgewählt ist, verschieben Sie ihn mit den Pfeiltasten.',
      'node.a11yDescription.keyboardDisabled': 'Mit der Eingabetaste bearbeiten Sie den Schritt.',
      'edge.a11yDescription.default':
        'Mit der Eingabetaste wählen Sie die Verbindung aus, dann entfernen Sie sie mit Entf.',
      'controls.ariaLabel': 'Ansicht',
      'controls.zoomIn.ariaLabel': 'Vergrößern',
      'controls.zoomOut.ariaLabel': 'Verkleinern',
      'controls.fitView.ariaLabel': 'Ganzen Graphen zeigen',
    },
  },

  tools: {
    label: 'Werkzeuge des Graphen',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    tidy: 'Anordnung aufräumen',
    tidyShort: 'Aufräumen',
    simulate: 'Workflow simulieren',
    simulateShort: 'Simulieren',
    versions: 'Versionen anzeigen',
    versionsShort: 'Versionen',
  },

  trigger: {
    title: 'Auslöser',
    lead: 'Wählen Sie, was diesen Workflow für einen Kontakt startet.',
    save: 'Auslöser speichern',
    saved: 'Auslöser gespeichert.',
  },

  publishing: {
    label: 'Unveröffentlichte Änderungen',
    summary: ({ added, changed, removed }) => {
      const parts = [
        added.length > 0 && `${formatNumber(added.length)} hinzugefügt`,
        changed.length > 0 && `${formatNumber(changed.length)} bearbeitet`,
        removed.length > 0 && `${formatNumber(removed.length)} entfernt`,
      ].filter((part) => part !== false)
      return parts.length > 0 ? `Unveröffentlichte Schritte: ${parts.join(', ')}` : 'Unveröffentlichte Änderungen'
    },
    saved: 'Entwurf gespeichert.',
    saving: 'Entwurf wird gespeichert …',
    failed: 'Der Entwurf konnte nicht gespeichert werden.',
    conflict: 'Der Entwurf wurde in einem anderen Fenster geändert. Ihrer ist nur in diesem.',
    saveOver: 'Meinen speichern',
    outdated:
      'Die veröffentlichten Schritte wurden geändert, nachdem dieser Entwurf begonnen wurde. Beim Veröffentlichen werden sie ersetzt.',
    retry: 'Erneut speichern',
    reload: 'Anderen Entwurf laden',
    publish: 'Änderungen veröffentlichen',
    published: 'Änderungen veröffentlicht. Für Kontakte gelten ab jetzt die neuen Schritte.',
    publishedDisabled: 'Änderungen veröffentlicht. Aktivieren Sie den Workflow, um Durchläufe zu starten.',
    invalid: 'Vervollständigen Sie die markierten Schritte, bevor Sie veröffentlichen.',
    discard: 'Änderungen verwerfen',
    discardTitle: 'Unveröffentlichte Änderungen verwerfen?',
    discardEffect: ({ added, changed, removed }) =>
      `Der Graph kehrt zur veröffentlichten Version zurück: ${formatCount(added.length, { one: 'neuer Schritt wird', other: 'neue Schritte werden' })} entfernt, ${formatCount(changed.length, { one: 'Bearbeitung wird', other: 'Bearbeitungen werden' })} zurückgenommen und ${formatCount(removed.length, { one: 'entfernter Schritt wird', other: 'entfernte Schritte werden' })} wiederhergestellt. Sie können dies rückgängig machen, bis Sie die Seite verlassen.`,
    keep: 'Änderungen behalten',
  },

  removal: {
    title: (step, count) => (step ? `„${step}“ entfernen?` : `${count} Schritte entfernen?`),
    lead: (count, stepCount) => {
      const where = stepCount === 1 ? 'bei diesem Schritt' : 'bei diesen Schritten'
      return pickPlural(count, {
        one: `1 Kontakt ist ${where} und bleibt dort, bis Sie Ihre Änderungen veröffentlichen. Wählen Sie, was dann mit ihm geschieht.`,
        other: `${formatNumber(count)} Kontakte sind ${where} und bleiben dort, bis Sie Ihre Änderungen veröffentlichen. Wählen Sie, was dann mit ihnen geschieht.`,
      })
    },
    choice: 'Was mit ihnen geschieht',
    move: {
      title: 'Zum nächsten Schritt verschieben',
      hint: 'Sie fahren sofort mit dem nächsten Schritt fort. Gibt es keinen, werden ihre Durchläufe abgeschlossen.',
    },
    moveTo: (step, branch) =>
      step
        ? {
            title: 'Zum nächsten Schritt verschieben',
            hint: `Sie fahren sofort mit „${step}“ fort${branch ? `, wie im Zweig „${branch}“` : ''}.`,
          }
        : {
            title: 'Durchläufe abschließen',
            hint: 'Es folgt kein Schritt, daher erreichen sie das Ende des Workflows.',
          },
    cancel: { title: 'Durchläufe abbrechen', hint: 'Sie verlassen den Workflow und erhalten nichts mehr von ihm.' },
    keep: (count) => (count === 1 ? 'Schritt behalten' : 'Schritte behalten'),
    remove: (count) => (count === 1 ? 'Schritt entfernen' : 'Schritte entfernen'),
  },

  enabling: {
    title: 'Diesen Workflow aktivieren',
    lead: 'Er startet, wenn Kontakte in ein Segment eintreten.',
    label: 'Starten für',
    options: {
      new: {
        title: 'Kontakte, die ab jetzt eintreten',
        hint: 'Für Kontakte, die jetzt schon im Segment sind, startet er nicht.',
      },
      all: {
        title: 'Auch für die, die jetzt schon darin sind',
        hint: 'Für Kontakte, die schon in diesem Workflow waren, startet er nur, wenn er den Wiedereintritt erlaubt.',
      },
    },
    cancel: 'Abbrechen',
    enable: 'Workflow aktivieren',
  },

  versions: {
    title: 'Versionen',
    lead: 'Bei jeder Veröffentlichung wird der Graph als Version gespeichert.',
    empty: 'Noch keine Versionen. Veröffentlichen Sie Ihre Änderungen, um die erste zu erstellen.',
    name: (number) => `Version ${formatNumber(number)}`,
    current: '(neueste)',
    steps,
    numbers: (started, completed, failed) =>
      `${contacts(started)} gestartet · ${completed} abgeschlossen · ${failed} fehlgeschlagen`,
    converted: (share) => `${share} am Ziel`,
    numbersHint: `Kontakte, die mit dieser Version gestartet sind, höchstens die neuesten ${formatNumber(5_000)}.`,
    restore: 'Als Entwurf laden',
    restoreLabel: (number) => `Version ${formatNumber(number)} als Entwurf laden`,
    restored: (number) =>
      `Version ${formatNumber(number)} ist jetzt der Entwurf. Veröffentlichen Sie ihn, um ihn zu verwenden.`,
  },

  start: {
    open: 'Für Kontakte starten',
    title: 'Diesen Workflow starten',
    lead: 'Kontakte, die bereits im Workflow sind oder nicht erneut eintreten können, werden übersprungen.',
    audience: 'Starten für',
    audiences: { contact: 'Einen Kontakt', segment: 'Ein Segment' },
    segment: 'Segment',
    segmentSize: (members) => `${contacts(members)} in diesem Segment.`,
    submit: 'Workflow starten',
    startedContact: (email) => `Workflow für ${email} gestartet.`,
    startedSegment: (segment) => `Der Workflow wird für die Kontakte in „${segment}“ gestartet.`,
  },

  branches: {
    name: branchName,
    next: (branch, branches) => {
      if (branch) return `Nächster Schritt ${isAnswer(branch) ? 'bei' : 'im Zweig'} „${branchName(branch)}“`
      return branches.length > 1 ? 'Nächster Schritt in beiden Fällen' : 'Nächster Schritt'
    },
  },

  step: {
    label: 'Schritt',
    close: 'Bereich schließen',
    none: 'Keiner',
    duplicate: 'Duplizieren',
    remove: 'Schritt entfernen',
    removeMany: (count) => `${steps(count)} entfernen`,
    removedToast: (count) => `${steps(count)} entfernt.`,
    selected: (count) => `${steps(count)} ausgewählt`,
    selectedHint:
      'Ziehen Sie die Schritte, um sie zusammen zu verschieben, oder kopieren Sie sie mit Strg+C und fügen Sie sie in einen beliebigen Workflow ein.',
    removed: (type) => `${type} (entfernt)`,
  },

  simulation: {
    title: 'Simulieren',
    lead: 'Sehen Sie, welche Schritte für einen Kontakt ausgeführt würden. Nichts wird gesendet oder geändert.',
    contact: 'Kontakt',
    assumeEvents: 'Annehmen, dass erwartete Ereignisse eintreten',
    eventData: 'Daten des Ereignisses (JSON)',
    submit: 'Simulation starten',
    incomplete: 'Vervollständigen Sie die markierten Schritte, bevor Sie den Workflow simulieren.',
    clear: 'Leeren',
    path: 'Simulierter Weg',
    result: 'Ergebnis:',
  },
}
