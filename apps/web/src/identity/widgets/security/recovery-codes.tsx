import { Copy, Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { saveTextFile } from '../../../ui/save-file.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { formatDate } from '../../../ui/format.ts'
import { useAuth } from '../../access.ts'
import { printText } from './print-text.ts'

/** The codes, shown this once, with three ways to store them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { userEmail, userName } = useAuth()
  const [day] = useState(() => formatDate(new Date()))
  const heading = m.security_codes_file({ account: userEmail ?? userName ?? '', day })
  const text = `${heading}\n\n${codes.join('\n')}\n`
  const copy = () => void copyText(text, m.security_copied())
  return (
    <div>
      <p className="text-ink-2">{m.security_codes_text()}</p>
      <ul
        aria-label={m.security_codes()}
        className="num mt-3 grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg bg-surface-2 p-4 text-base text-ink-strong select-all"
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={Copy} onClick={copy}>
          {m.security_codes_copy()}
        </Button>
        <Button icon={Download} onClick={() => saveTextFile('recovery-codes.txt', text, 'text/plain;charset=utf-8')}>
          {m.security_codes_download()}
        </Button>
        <Button icon={Printer} onClick={() => printText(heading, codes)}>
          {m.security_codes_print()}
        </Button>
      </div>
    </div>
  )
}
