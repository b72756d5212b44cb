import { createPortal } from 'react-dom'
import { QrCode } from '../../identity/widgets/security/qr-code.tsx'
import { m } from '../../paraglide/messages.js'
import { Ltr } from '../../ui/ltr.tsx'
import '../../ui/print-sheet.css'
import './address-code.css'

interface AddressCodeProps {
  /** Of the link. */
  name: string
  address: string
}

/** The address for a camera, on screen and large on paper: for the door of the bus, or a room. */
export const AddressCode = ({ name, address }: AddressCodeProps) => (
  <>
    <div className="mt-4 flex justify-center">
      <QrCode label={m.links_code()} text={address} />
    </div>
    {createPortal(
      <div className="print-sheet address-code" aria-hidden="true">
        <h1>{name}</h1>
        <QrCode label="" text={address} />
        <p>
          <Ltr>{address}</Ltr>
        </p>
      </div>,
      document.body,
    )}
  </>
)
