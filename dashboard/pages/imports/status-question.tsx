/** Asks about a column that looks like the state of a subscription, because a wrong guess subscribes people who left. */
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { texts } from './texts.ts'

const T = texts.status

export const StatusQuestion = ({ column, onYes, onNo }: { column: string; onYes(): void; onNo(): void }) => (
  <Card title={T.title(column)} lead={T.lead}>
    <div className="flex flex-wrap gap-2">
      <Button onClick={onYes}>{T.yes}</Button>
      <Button onClick={onNo}>{T.no}</Button>
    </div>
  </Card>
)
