"""An address that is written down holds no secret, and the refusal does not tell it."""

import pytest

from trajaudit.datamodel.address import without_secret


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "https://models.example/a@b/v1"])
def test_a_plain_address_stays_as_it_is(url: str) -> None:
    assert without_secret(url) == url


@pytest.mark.parametrize(
    "url", ["http://me:hush@models.example/v1", "http://hush@x/v1", "https://x/v1?key=hush"]
)
def test_an_address_with_a_secret_is_refused_and_the_secret_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="without user, password and query") as refused:
        without_secret(url)

    assert "hush" not in str(refused.value)
