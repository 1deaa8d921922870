/** The question before unsaved changes are discarded. */
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { unsavedTexts } from './texts.ts'

export const LeaveDialog = ({ onStay, onLeave }: { onStay(): void; onLeave(): void }) => (
  <Dialog open onClose={onStay} title={unsavedTexts.title} lead={unsavedTexts.lead}>
    <DialogActions>
      <Button kind="primary" onClick={onStay} autoFocus>
        {unsavedTexts.stay}
      </Button>
      <Button kind="danger" onClick={onLeave}>
        {unsavedTexts.leave}
      </Button>
    </DialogActions>
  </Dialog>
)

/** Values from an earlier visit are in the form. */
export const RestoredNotice = ({ onDiscard }: { onDiscard(): void }) => (
  <p
    role="status"
    className="mb-5 flex flex-wrap items-center justify-between gap-2 rounded-card border border-line bg-panel px-4 py-2.5 text-sm"
  >
    {unsavedTexts.restored}
    <Button onClick={onDiscard}>{unsavedTexts.discard}</Button>
  </p>
)
