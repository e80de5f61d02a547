// A low cost of password hashes for tests inside workerd: about 300 hashes of 0.2 s were a tenth of their time.
// password-hashes.test.ts and the built worker have the cost of the product.
import { passwords } from "~/use-cases/accounts/password-hashes.server";

passwords.cost = { ln: 4, r: 8, p: 1 };
