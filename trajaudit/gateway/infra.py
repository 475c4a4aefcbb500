"""How is a failure of the infrastructure told, so that a program can tell the kinds apart?"""

from trajaudit.errors import InfraError, MockError, ProviderError, SandboxError, StorageError

CODES: tuple[tuple[type[InfraError], str], ...] = (
    (ProviderError, "provider_failed"),
    (MockError, "mock_failed"),
    (SandboxError, "sandbox_failed"),
    (StorageError, "storage_failed"),
)


def infra_detail(error: InfraError) -> str:
    """Return `code: text`; the code says what failed, and is the same in every journal."""
    code = next((code for kind, code in CODES if isinstance(error, kind)), "infra_failed")
    return f"{code}: {error}"
