/** The reading in JavaScript, served: `schedule-spec verify --sut "node tests/adapters/javascript/adapter.mjs"`. */

import { serve } from '../../../kits/node/adapter.mjs'
import { reading } from './reading.mjs'

await serve(reading)
